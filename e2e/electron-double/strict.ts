/**
 * A stand-in that answers `undefined` for what it does not know lets an app go on that real Electron would treat
 * otherwise. This one stops it there.
 */
const HARMLESS = new Set(['then', 'toJSON', 'constructor', 'domain']);

/** The object itself, except that reading or writing a property that it does not have throws "not doubled". */
export function strict<T extends object>(name: string, target: T): T {
  const check = (key: string | symbol): void => {
    if (typeof key === 'symbol' || key in target || HARMLESS.has(key)) return;
    throw new Error(`not doubled: ${name}.${key}`);
  };
  return new Proxy(target, {
    get(object, key, receiver) {
      check(key);
      return Reflect.get(object, key, receiver) as unknown;
    },
    set(object, key, value, receiver) {
      check(key);
      return Reflect.set(object, key, value, receiver);
    },
  });
}

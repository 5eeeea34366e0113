import { memoryStore } from './memory-store.ts';
import { storeContract } from './testing/store-contract.ts';

storeContract(memoryStore);

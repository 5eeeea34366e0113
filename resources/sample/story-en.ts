/** The English half of the sample: the day shift of the same post office. Own invention; one line a turn. */
import type { Story } from './story.ts';

export const storyEn: Story = {
  worldId: 'paper-moon-post-day',
  sessionId: 'day-91c3d204',
  title: 'The Day Counter',
  locale: 'en-US',
  player: 'Ines Farrow',
  lore: `The Paper Moon Post Office has a night counter and a day counter, and the two have never met. By day it sells stamps, weighs parcels and loses umbrellas. The day clerk signs for whatever the night shift could not deliver, without asking what it is.

There are four drawers. The first holds stamps, the second string, the third complaints. The fourth is locked and hums when a letter addressed to nobody crosses the threshold.

A parcel must be weighed twice: once as it is, once after the sender has been asked what is in it. When the two weights differ, the difference goes into the ledger under "owed". The ledger has to balance at closing time. It has balanced every day for eleven years, and the clerk who balanced it left a single note: do not let the ferryman pay in coins.

The clock tower can be seen from the counter. Since its minute hand came back, the town keeps time again and resents it. People arrive early, apologise, and ask whether the last boat has gone, although it is noon.`,
  notes: [
    [
      'Dorrit Hale',
      'Inspector of the district. Dry, courteous, never sits. Asks questions whose answers she has already written down.',
    ],
    ['Pell', 'The baker’s boy, nine. Trades rumours for string. Counts everything twice.'],
  ],
  joined: ['Old Mai', 'The ferryman, ashore by daylight for the first time. Speaks as if announcing stops.'],
  profiles: [
    ['Dorrit Hale', 'npc', 'district inspector', { location: 'counter', mood: 'patient' }],
    ['Pell', 'npc', 'the baker’s boy', { location: 'door', mood: 'curious' }],
  ],
  dimensions: [
    [
      'ledger',
      'Ledger balance',
      'Change it only when the text states a debt or a payment.',
      ['even', 'even', 'owed 40 g', 'owed 40 g', 'owed 40 g', 'owed 15 g', 'owed 15 g', 'even'],
    ],
    [
      'queue',
      'People waiting',
      'Count the people the text puts in the room.',
      ['0', '1', '2', '2', '3', '3', '2', '1'],
    ],
  ],
  entries: [
    ['drawer', 'The fourth drawer opens for whoever stops listening to it.'],
    ['ferryman', 'The ferryman’s coins are warm and have no year on them.'],
  ],
  summary: [
    'Ines Farrow opened the day counter alone and found forty grams owed in a ledger that had always balanced. Inspector Hale arrived unannounced and asked about a parcel whose second weight was lower than its first. Pell saw the fourth drawer glow.',
  ],
  turns: [
    [
      'I unlock the counter and read the note the last clerk left.',
      'The shutters go up on a street that is already pretending to be busy. Under the blotter lies one line in a careful hand: do not let the ferryman pay in coins. The scale settles to zero, thinks better of it, and shows four grams. Behind you the fourth drawer hums two notes, low then high, like somebody trying a name.',
    ],
    [
      'I weigh the air once more, then open for the first customer.',
      'Four grams again. The first customer is Pell, who wants to trade a rumour for string. “There’s a parcel on the step,” he says, “and it wasn’t there when I counted the step.” It is long and flat and tied in a knot you have only seen in drawings. On the scale it weighs two hundred. He watches the needle the way other children watch cake.',
    ],
    [
      'I ask Pell who left the parcel, and weigh it again.',
      'Pell says he saw a hat. Just the hat, dripping, going the other way. You put the parcel back on the scale and it weighs one hundred and sixty. Forty grams have gone somewhere between a question and its answer. The ledger opens by itself at the right page and waits. At the door somebody coughs in a manner that has been to meetings.',
    ],
    [
      'I greet whoever coughed.',
      'Inspector Hale does not sit. She reads the room from left to right, ends at the scale, and writes down a number before looking at you. “Forty,” she says pleasantly. “Do you often lose forty?” Pell edges behind the string. The fourth drawer has stopped humming, which is worse.',
    ],
    [
      'I show her the drawer instead of answering.',
      'You say nothing and step aside. A line of light runs round the fourth drawer like water round a plug. “Locked,” says the inspector. “Since when does it need a key?” asks Pell. The line of light hesitates. In the silence that follows nobody listens to the drawer, and it slides open the width of a letter.',
    ],
    [
      'I reach into the drawer without looking.',
      'Paper, cool and dry, and under it something that ticks. You draw out twenty-five grams of it: a spring, a cog, half a stamp with a blue postmark. The ledger crosses something out. Owed: fifteen. “Who repairs clocks here?” the inspector asks, and for the first time her pencil is not moving.',
    ],
    [
      'I send Pell for the ferryman and keep the inspector talking.',
      'You ask her which station she started from and she tells you, at length, and with pleasure. Pell returns at a run. Behind him, blinking at the daylight as if it were a language, comes Old Mai with his hat in both hands. “Counter,” he announces. “Change here.” He puts a warm coin on the scale before you can stop him.',
    ],
    [
      'I push the coin back and ask him for a story instead.',
      'Mai thinks, which takes a while and smells of river. Then he tells you about a man on the ninety-ninth step who answered a door for three years. It weighs exactly fifteen grams. The needle comes to rest, the ledger closes itself, and the inspector writes a word, tears out the page and gives it to Pell, who counts the letters twice. Even.',
    ],
  ],
};

import type { DemoFeatureKey } from './demo-features.ts'

export type RoomKind = 'focus' | 'booth' | 'meeting' | 'boardroom' | 'lounge' | 'studio'

export type DemoPod = {
  title: string
  location: string
  /** Decides most of its small print. */
  kind: RoomKind
  seats: number
  floor: string
  /** ZAR per minute. */
  rate: number
  description: string
  tags: string
  features: readonly DemoFeatureKey[]
  /** Why it is closed until further notice. */
  closedFor?: string
}

const basics = ['wifi', 'coffee', 'air'] as const

export const demoPods: readonly DemoPod[] = [
  {
    title: 'Harbour Light',
    location: 'dock-road',
    kind: 'meeting',
    seats: 4,
    floor: 'second floor',
    rate: 4.5,
    description:
      'A bright corner room over the working harbour, with room for four around an oak table. Ferries come and go below; with the door shut you hear none of them.',
    tags: 'Cape Town, Waterfront, Meeting Room, Sea View',
    features: [...basics, 'screen', 'video', 'whiteboard', 'parking', 'access'],
  },
  {
    title: 'The Crow’s Nest',
    location: 'dock-road',
    kind: 'focus',
    seats: 1,
    floor: 'top floor',
    rate: 2.2,
    description:
      'The smallest room in the house and the highest: one desk, one good chair and a view past the cranes to Table Bay. Made for an afternoon of uninterrupted work.',
    tags: 'Cape Town, Waterfront, Focus Room',
    features: [...basics, 'desk', 'quiet'],
  },
  {
    title: 'Signal Hill Boardroom',
    location: 'dock-road',
    kind: 'boardroom',
    seats: 8,
    floor: 'third floor',
    rate: 9,
    description:
      'Eight leather chairs, a long table and a wall of glass that looks back at Signal Hill. Remote colleagues join on a wide camera and are heard from every seat.',
    tags: 'Cape Town, Waterfront, Boardroom',
    features: [...basics, 'screen', 'video', 'whiteboard', 'power', 'parking', 'access'],
  },
  {
    title: 'Penny Ferry',
    location: 'dock-road',
    kind: 'booth',
    seats: 1,
    floor: 'ground floor, beside reception',
    rate: 1.5,
    description:
      'A felt-lined booth for the call that cannot wait. Step in, pull the door to and the lobby goes quiet; the light and the fan come on by themselves.',
    tags: 'Cape Town, Waterfront, Phone Booth',
    features: ['wifi', 'quiet', 'power'],
  },
  {
    title: 'Lion’s Head',
    location: 'long-street',
    kind: 'meeting',
    seats: 6,
    floor: 'ninth floor',
    rate: 6,
    description:
      'Six seats under a run of pendant lamps, with the mountain filling the window. The whiteboard covers a whole wall, so workshops do not have to tidy up half-way.',
    tags: 'Cape Town, City Centre, Meeting Room, Mountain View',
    features: [...basics, 'screen', 'video', 'whiteboard', 'power', 'access'],
  },
  {
    title: 'Table Bay Lounge',
    location: 'long-street',
    kind: 'lounge',
    seats: 3,
    floor: 'ninth floor',
    rate: 3.8,
    description:
      'Two armchairs, a sofa and a low table: for interviews, one-to-ones and the conversations that go better without a desk between people.',
    tags: 'Cape Town, City Centre, Lounge',
    features: [...basics, 'quiet', 'access'],
  },
  {
    title: 'Bo-Kaap',
    location: 'long-street',
    kind: 'focus',
    seats: 2,
    floor: 'seventh floor',
    rate: 2.8,
    description:
      'Painted like the houses up the hill and just as cheerful. A wide desk for two side by side, a second monitor and plugs wherever you reach for one.',
    tags: 'Cape Town, City Centre, Focus Room',
    features: [...basics, 'screen', 'desk', 'power'],
  },
  {
    title: 'Company’s Garden',
    location: 'long-street',
    kind: 'meeting',
    seats: 4,
    floor: 'third floor',
    rate: 4.2,
    description:
      'A green room in every sense: ferns on the sill, cork on the walls and the oaks of the garden a short walk away. Four chairs around a round table, so nobody sits at the head.',
    tags: 'Cape Town, City Centre, Meeting Room',
    features: [...basics, 'screen', 'whiteboard', 'access'],
  },
  {
    title: 'The Print Room',
    location: 'woodstock',
    kind: 'studio',
    seats: 2,
    floor: 'first floor, past the courtyard',
    rate: 5.5,
    description:
      'Where the biscuit tins were once printed, and now a recording room for two: two microphones on arms, a mixing desk and walls that swallow every echo.',
    tags: 'Cape Town, Woodstock, Studio, Podcast',
    features: ['wifi', 'quiet', 'power', 'air', 'parking'],
    closedFor: 'The mixing desk is being repaired',
  },
  {
    title: 'Biscuit Mill Loft',
    location: 'woodstock',
    kind: 'boardroom',
    seats: 8,
    floor: 'second floor',
    rate: 7.8,
    description:
      'A high brick loft with tall steel windows and one very long table. Eight people fit easily, ten if they like each other; the Saturday market is downstairs.',
    tags: 'Cape Town, Woodstock, Boardroom, Loft',
    features: [...basics, 'screen', 'video', 'whiteboard', 'projector', 'parking'],
  },
  {
    title: 'Fynbos',
    location: 'woodstock',
    kind: 'focus',
    seats: 1,
    floor: 'first floor',
    rate: 2,
    description:
      'A calm room in the greens and dusty pinks of the mountain slopes. One standing desk, morning sun and a shelf of books that you are welcome to borrow.',
    tags: 'Cape Town, Woodstock, Focus Room',
    features: [...basics, 'desk', 'parking'],
  },
  {
    title: 'Keyes Corner',
    location: 'rosebank',
    kind: 'meeting',
    seats: 4,
    floor: 'fifth floor',
    rate: 4.4,
    description:
      'On the corner above the galleries of Keyes Avenue, with light from two sides. Four seats, a screen that wakes when you plug in, and the Gautrain three minutes away.',
    tags: 'Johannesburg, Rosebank, Meeting Room',
    features: [...basics, 'screen', 'video', 'power', 'parking', 'access'],
  },
  {
    title: 'Jozi Sound',
    location: 'rosebank',
    kind: 'studio',
    seats: 2,
    floor: 'lower ground floor',
    rate: 6.2,
    description:
      'A proper little studio: floating floor, two broadcast microphones and a producer’s chair. Leave with the recording on your own drive.',
    tags: 'Johannesburg, Rosebank, Studio, Podcast',
    features: ['wifi', 'quiet', 'power', 'air', 'coffee', 'parking'],
  },
  {
    title: 'The Gallery',
    location: 'rosebank',
    kind: 'lounge',
    seats: 4,
    floor: 'fifth floor',
    rate: 4,
    description:
      'Soft seats among work by young Johannesburg painters, changed every season. Good for a first meeting with a client, or a last one before signing.',
    tags: 'Johannesburg, Rosebank, Lounge',
    features: [...basics, 'screen', 'access', 'parking'],
  },
  {
    title: 'Alice Lane Boardroom',
    location: 'sandton',
    kind: 'boardroom',
    seats: 10,
    floor: 'eleventh floor',
    rate: 8.8,
    description:
      'Ten seats above the richest square mile in Africa. Walnut table, camera that follows the speaker, and a skyline that closes deals after dark.',
    tags: 'Johannesburg, Sandton, Boardroom',
    features: [...basics, 'screen', 'video', 'whiteboard', 'power', 'parking', 'access'],
  },
  {
    title: 'Highveld',
    location: 'sandton',
    kind: 'meeting',
    seats: 6,
    floor: 'eleventh floor',
    rate: 6.5,
    description:
      'A room in the colours of winter grass, for six. Watch the afternoon thunder roll in over the towers from behind very good glass.',
    tags: 'Johannesburg, Sandton, Meeting Room',
    features: [...basics, 'screen', 'video', 'whiteboard', 'power', 'access'],
  },
  {
    title: 'Marula',
    location: 'sandton',
    kind: 'focus',
    seats: 1,
    floor: 'fourth floor',
    rate: 2.4,
    description:
      'A quiet desk between two meetings. Warm wood, a lamp that can be dimmed and a door that locks, so the laptop can stay while you fetch a coffee.',
    tags: 'Johannesburg, Sandton, Focus Room',
    features: [...basics, 'power', 'desk', 'quiet'],
  },
  {
    title: 'Quiet Car',
    location: 'sandton',
    kind: 'booth',
    seats: 1,
    floor: 'ground floor, at the Gautrain entrance',
    rate: 1.8,
    description:
      'Named after the carriage everyone hopes for. A one-person booth at the station entrance, for the call between two trains.',
    tags: 'Johannesburg, Sandton, Phone Booth',
    features: ['wifi', 'quiet', 'power', 'air'],
  },
  {
    title: 'Lighthouse',
    location: 'umhlanga',
    kind: 'meeting',
    seats: 4,
    floor: 'sixth floor',
    rate: 3.9,
    description:
      'Red and white like its namesake down on the beach, with the Indian Ocean from one end of the window to the other. Four seats and a screen nobody looks at.',
    tags: 'Durban, Umhlanga, Meeting Room, Sea View',
    features: [...basics, 'screen', 'video', 'whiteboard', 'parking', 'access'],
  },
  {
    title: 'Sea Breeze',
    location: 'umhlanga',
    kind: 'lounge',
    seats: 3,
    floor: 'sixth floor',
    rate: 3.2,
    description:
      'Rattan, linen and a warm wind when the window is open. A room for thinking aloud in, with a sofa long enough to draw up your feet.',
    tags: 'Durban, Umhlanga, Lounge, Sea View',
    features: [...basics, 'parking', 'access'],
  },
  {
    title: 'Milkwood',
    location: 'umhlanga',
    kind: 'focus',
    seats: 2,
    floor: 'second floor',
    rate: 2.1,
    description:
      'A desk for two in the shade of the dune forest. Cool, green and close to the parking deck; the waves are the only background noise.',
    tags: 'Durban, Umhlanga, Focus Room',
    features: [...basics, 'desk', 'screen', 'parking'],
  },
  {
    title: 'Florida Verandah',
    location: 'florida-road',
    kind: 'lounge',
    seats: 3,
    floor: 'first floor, off the verandah',
    rate: 2.9,
    description:
      'The front room of a hundred-year-old house, with a pressed ceiling and palms at the window. Closed while the verandah is being restored.',
    tags: 'Durban, Florida Road, Lounge',
    features: [...basics, 'parking'],
    closedFor: 'The verandah is being restored',
  },
  {
    title: 'Jacaranda',
    location: 'brooklyn',
    kind: 'meeting',
    seats: 4,
    floor: 'third floor',
    rate: 3.6,
    description:
      'In October the whole window turns purple. The rest of the year it is a well-lit room for four with a round table, a screen and blossom-coloured chairs.',
    tags: 'Pretoria, Brooklyn, Meeting Room',
    features: [...basics, 'screen', 'whiteboard', 'parking', 'access'],
  },
  {
    title: 'Union Boardroom',
    location: 'brooklyn',
    kind: 'boardroom',
    seats: 8,
    floor: 'fourth floor',
    rate: 6.8,
    description:
      'For eight, with room for papers. A long table of kiaat, dark green walls and two screens, so that the agenda can stay up beside the numbers.',
    tags: 'Pretoria, Brooklyn, Boardroom',
    features: [...basics, 'screen', 'video', 'whiteboard', 'power', 'parking', 'access'],
  },
]

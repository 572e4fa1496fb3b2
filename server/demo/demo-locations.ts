/** Places where such rooms could be, with real addresses and coordinates. */
export type DemoLocation = {
  key: string
  name: string
  street: string
  city: string
  state: string
  zip: string
  latitude: number
  longitude: number
  /** Why it is closed until further notice. */
  closedFor?: string
}

export const demoLocations: readonly DemoLocation[] = [
  {
    key: 'dock-road',
    name: 'Dock Road, V&A Waterfront',
    street: '17 Dock Road, V&A Waterfront',
    city: 'Cape Town',
    state: 'Western Cape',
    zip: '8001',
    latitude: -33.9067,
    longitude: 18.4219,
  },
  {
    key: 'long-street',
    name: 'Two Long Street',
    street: '2 Long Street, City Centre',
    city: 'Cape Town',
    state: 'Western Cape',
    zip: '8001',
    latitude: -33.9183,
    longitude: 18.4234,
  },
  {
    key: 'woodstock',
    name: 'Old Biscuit Mill',
    street: '375 Albert Road, Woodstock',
    city: 'Cape Town',
    state: 'Western Cape',
    zip: '7925',
    latitude: -33.9277,
    longitude: 18.4571,
  },
  {
    key: 'rosebank',
    name: 'Rosebank Link',
    street: '173 Oxford Road, Rosebank',
    city: 'Johannesburg',
    state: 'Gauteng',
    zip: '2196',
    latitude: -26.1462,
    longitude: 28.0436,
  },
  {
    key: 'sandton',
    name: 'West Street, Sandton',
    street: '155 West Street, Sandown',
    city: 'Johannesburg',
    state: 'Gauteng',
    zip: '2031',
    latitude: -26.1057,
    longitude: 28.0556,
  },
  {
    key: 'umhlanga',
    name: 'Ridgeside, Umhlanga',
    street: '2 Ncondo Place, Umhlanga Ridge',
    city: 'Durban',
    state: 'KwaZulu-Natal',
    zip: '4319',
    latitude: -29.7273,
    longitude: 31.0722,
  },
  {
    key: 'florida-road',
    name: 'Florida Road',
    street: '275 Florida Road, Morningside',
    city: 'Durban',
    state: 'KwaZulu-Natal',
    zip: '4001',
    latitude: -29.8303,
    longitude: 31.0139,
    closedFor: 'The building is being painted',
  },
  {
    key: 'brooklyn',
    name: 'Brooklyn Bridge',
    street: '570 Fehrsen Street, Brooklyn',
    city: 'Pretoria',
    state: 'Gauteng',
    zip: '0181',
    latitude: -25.7716,
    longitude: 28.2344,
  },
]

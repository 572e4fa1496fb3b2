import { describe, expect, it } from 'vitest'
import { isShortLink, parseCoordinates } from './coordinates.ts'

const there = { latitude: -33.9036, longitude: 18.4208 }

describe('parseCoordinates, given valid coordinates', () => {
  it.each([
    '-33.9036, 18.4208',
    '-33.9036,18.4208',
    ' -33.9036 18.4208 ',
    '(-33.9036; +18.4208)',
    '-33.9036°, 18.4208°',
    'https://www.google.com/maps/@-33.9036,18.4208,17z',
    'https://www.google.com/maps/place/V%26A+Waterfront/@-33.91,18.43,17z/data=!3m1!4b1!4m6!3m5!1s0x1dcc!8m2!3d-33.9036!4d18.4208!16s',
    'https://www.google.co.za/maps/place/-33.9036,18.4208',
    'https://www.google.com/maps/search/-33.9036,+18.4208?entry=tts',
    'https://www.google.com/maps/dir//-33.9036,18.4208/@-33.95,18.5,12z',
    'https://maps.google.com/?q=-33.9036,18.4208',
    'https://maps.google.com/maps?q=loc:-33.9036+18.4208&z=15',
    'https://www.google.com/maps/search/?api=1&query=-33.9036%2C18.4208',
    'https://www.google.com/maps/dir/?api=1&destination=-33.9036,18.4208',
    'www.google.com/maps/@-33.9036,18.4208,17z',
    'https://www.openstreetmap.org/#map=17/-33.9036/18.4208',
    'https://www.openstreetmap.org/#map=17.5/-33.9036/18.4208&layers=N',
    'https://www.openstreetmap.org/?mlat=-33.9036&mlon=18.4208#map=12/-33.95/18.5',
    'https://maps.apple.com/?ll=-33.9036,18.4208&q=Dock',
    'https://maps.apple.com/place?coordinate=-33.9036,18.4208&name=Dock',
    'geo:-33.9036,18.4208?z=17',
  ])('reads %s', (text) => {
    expect(parseCoordinates(text)).toEqual(there)
  })

  it('reads coordinates on the equator, at a pole and at the date line', () => {
    expect(parseCoordinates('0, 0')).toEqual({ latitude: 0, longitude: 0 })
    expect(parseCoordinates('90,-180')).toEqual({ latitude: 90, longitude: -180 })
  })
})

describe('parseCoordinates, given anything else', () => {
  it.each([
    '',
    '15',
    '-33.9036',
    'Dock Road 19, 8001',
    '19, Dock Road',
    '1, 2, 3',
    '-33,9036, 18,4208',
    'https://www.google.com/maps/place/V%26A+Waterfront',
    'https://maps.app.goo.gl/abc123',
    'https://example.com/?q=12',
    'https://www.openstreetmap.org/?mlat=&mlon=18',
    'https://maps.google.com/?q=%E0%A4%A',
    'javascript:alert(1)',
  ])('finds none in %s', (text) => {
    expect(parseCoordinates(text)).toBeUndefined()
  })

  it.each(['-95, 18.4', '18.4, 181', 'https://maps.google.com/?q=91,18'])('reports %s as off the globe', (text) => {
    expect(parseCoordinates(text)).toBe('off the globe')
  })
})

it('short links are distinguished from links without coordinates', () => {
  expect(isShortLink('https://maps.app.goo.gl/abc123')).toBe(true)
  expect(isShortLink('https://www.google.com/maps/place/Dock')).toBe(false)
})

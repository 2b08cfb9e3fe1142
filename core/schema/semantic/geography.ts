import { PLACE_COLUMNS } from '../place.ts'
import { parseFloat64 } from '../scalar-number.ts'
import { COUNTRIES } from './code-lists.ts'
import { isObjectOf, number, refuse, type SemanticScalar, text, textOf } from './semantic-scalar.ts'

const DEGREES = /^[+-]?\d{1,3}(?:\.\d{1,30})?$/
const isWithin = (value: string, most: number): boolean => DEGREES.test(value) && Math.abs(Number(value)) <= most

function parseCoordinates(value: unknown): string {
  const parts = isObjectOf(value, ['lat', 'lng'])
    ? [textOf(value.lat), textOf(value.lng)]
    : typeof value === 'string' && value.length <= 100
      ? value.split(',').map((part) => part.trim())
      : []
  const [lat, lng] = parts
  if (parts.length === 2 && lat != null && lng != null && isWithin(lat, 90) && isWithin(lng, 180))
    return `${lat},${lng}`
  throw refuse(
    { name: 'Coordinates', example: '"52.5200,13.4050" or { lat: 52.52, lng: 13.405 }' },
    'a latitude from -90 to 90 and a longitude from -180 to 180',
    value,
  )
}

const MOST_ZONES = 1000
const zones = new Set<string>()

/** What the engine's time zone data knows. `+01:00` is an offset, no zone. */
function isTimezone(value: string): boolean {
  if (zones.has(value)) return true
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/.test(value)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
  } catch {
    return false
  }
  if (zones.size < MOST_ZONES) zones.add(value)
  return true
}

export const GEOGRAPHY: readonly SemanticScalar[] = [
  number({
    name: 'Latitude',
    description: 'Degrees north of the equator, from -90 to 90.',
    base: 'Float',
    example: '52.52',
    wants: 'a number from -90 to 90',
    of: parseFloat64,
    bounds: { min: -90, max: 90 },
  }),
  number({
    name: 'Longitude',
    description: 'Degrees east of Greenwich, from -180 to 180.',
    base: 'Float',
    example: '13.405',
    wants: 'a number from -180 to 180',
    of: parseFloat64,
    bounds: { min: -180, max: 180 },
  }),
  {
    name: 'Coordinates',
    description: 'Latitude and longitude in degrees, `"lat,lng"`. `{ lat, lng }` is taken, too.',
    base: 'String',
    columns: PLACE_COLUMNS,
    unordered: true,
    example: '"52.5200,13.4050"',
    parse: parseCoordinates,
  },
  text({
    name: 'Timezone',
    description: 'A time zone of the IANA database.',
    specifiedByUrl: 'https://www.iana.org/time-zones',
    example: '"Europe/Berlin"',
    wants: 'a time zone of the IANA database',
    check: isTimezone,
  }),
  text({
    name: 'LocaleCode',
    description: 'A language, or a language in a country: `xx` or `xx-YY`.',
    specifiedByUrl: 'https://datatracker.ietf.org/doc/html/rfc5646',
    example: '"de-AT"',
    wants: 'a language of two letters, with a country or without',
    check: /^[a-z]{2}(?:-[A-Z]{2})?$/,
  }),
  text({
    name: 'LanguageCode',
    description: 'A language by ISO 639: two or three lower-case letters.',
    specifiedByUrl: 'https://www.iso.org/iso-639-language-code',
    example: '"de"',
    wants: 'two or three lower-case letters',
    check: /^[a-z]{2,3}$/,
  }),
  text({
    name: 'CountryCode',
    description: 'A country by ISO 3166-1 alpha-2.',
    specifiedByUrl: 'https://www.iso.org/iso-3166-country-codes.html',
    example: '"DE"',
    wants: 'a country by ISO 3166-1 alpha-2',
    check: (value) => COUNTRIES.has(value),
  }),
]

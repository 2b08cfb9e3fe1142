import { PLACE_COLUMNS } from '../place.ts'
import { parseFloat64 } from '../scalar-number.ts'
import { COUNTRIES, LANGUAGES, OTHER_ZONES, WORLD_REGIONS } from './code-lists.ts'
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
let canonicalZones: ReadonlyMap<string, string> | undefined

/** Tests for a time zone that the engine knows, in its official spelling. `+01:00` is an offset and not a zone. */
function isTimezone(value: string): boolean {
  if (zones.has(value)) return true
  if (!/^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*){0,2}$/.test(value)) return false
  if (OTHER_ZONES.has(value) || value.startsWith('SystemV/')) return false
  canonicalZones ??= new Map(Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone]))
  if ((canonicalZones.get(value.toLowerCase()) ?? value) !== value) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
  } catch {
    return false
  }
  if (zones.size < MOST_ZONES) zones.add(value)
  return true
}

const LOCALE = /^([a-z]{2,3})(?:-([A-Z][a-z]{3}))?(?:-([A-Z]{2}|\d{3}))?$/
let scripts: Intl.DisplayNames | undefined

/** Tests for a locale. A language has a code of three letters only if it has none of two. */
function isLocale(value: string): boolean {
  const [, language, script, region] = LOCALE.exec(value) ?? []
  if (language === undefined) return false
  const isLanguage =
    language.length === 2 ? LANGUAGES.has(language) : Intl.getCanonicalLocales(language)[0] === language
  const isRegion = region === undefined || COUNTRIES.has(region) || WORLD_REGIONS.has(region)
  if (!isLanguage || !isRegion || script === undefined) return isLanguage && isRegion
  scripts ??= new Intl.DisplayNames('en', { type: 'script', fallback: 'none' })
  return scripts.of(script) !== undefined
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
    description: 'A language with its script and its country, or without: `xx`, `xx-YY`, `xx-Script-YY` (BCP 47).',
    specifiedByUrl: 'https://datatracker.ietf.org/doc/html/rfc5646',
    example: '"de-AT"',
    wants: 'a language, with a script and a country or without',
    check: isLocale,
  }),
  text({
    name: 'LanguageCode',
    description: 'A language by ISO 639: one of two lower-case letters (ISO 639-1), or any of three.',
    specifiedByUrl: 'https://www.iso.org/iso-639-language-code',
    example: '"de"',
    wants: 'a language by ISO 639-1, or three lower-case letters',
    check: (value) => LANGUAGES.has(value) || /^[a-z]{3}$/.test(value),
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

/** Functions that return the part of a text that operators of semantic scalars compare. `null`: the text has no such part. */
const PARTS = {
  all: (text: string) => text,
  /** The domain is empty for a text without an @, so that it equals no real domain. */
  domain: (text: string) => text.split('@')[1]?.toLowerCase() ?? '',
  local: (text: string) => text.split('@')[0] ?? null,
  protocol: (text: string) => text.split('://')[0]?.toLowerCase() ?? null,
  host: (text: string) =>
    /^[^:]+:\/\/([^/?#]*)/
      .exec(text)?.[1]
      ?.replace(/^.*@|:[0-9]*$/g, '')
      .toLowerCase() ?? null,
  path: (text: string) => /^[^:]+:\/\/[^/?#]*([^?#]*)/.exec(text)?.[1] ?? null,
  lastLabel: (text: string) => text.split('.').at(-1)?.toLowerCase() ?? null,
  first2: (text: string) => text.slice(0, 2),
  amount: (text: string) => /^[+-]?[0-9]*[.]?[0-9]+/.exec(text)?.[0] ?? null,
}

export type Part = keyof typeof PARTS

export function textPart(text: string, part: Part): string | null {
  return PARTS[part](text)
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

const PLACE = /^ *([+-]?\d{1,3}(?:\.\d{1,100})?) *, *([+-]?\d{1,3}(?:\.\d{1,100})?) *$/

/**
 * Tests whether a geographic location is within a circle on a sphere with a radius of 6371 km.
 * @param place latitude and longitude, separated by a comma
 * @param circle JSON object with `latitude`, `longitude` and `radiusKm`
 * @returns `null`: the text is no location
 */
export function isNear(place: string, circle: string): boolean | null {
  const match = PLACE.exec(place)
  if (match === null) return null
  const [lat, lng] = [Number(match[1]), Number(match[2])]
  const { latitude, longitude, radiusKm } = JSON.parse(circle) as Record<string, number>
  const half = (a: number, b: number): number => Math.sin(radians(a - b) / 2) ** 2
  const chord =
    half(lat, Number(latitude)) +
    Math.cos(radians(lat)) * Math.cos(radians(Number(latitude))) * half(lng, Number(longitude))
  return 12742 * Math.asin(Math.min(1, Math.sqrt(chord))) <= Number(radiusKm)
}

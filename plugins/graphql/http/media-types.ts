/** Media types of GraphQL responses over HTTP. They differ only in the HTTP status of errors. */
export type ResponseType = 'application/json' | 'application/graphql-response+json'

const RESPONSE: ResponseType = 'application/graphql-response+json'
const JSON_TYPE: ResponseType = 'application/json'
/** Maximum number of cached `Accept` headers. The cache is cleared beyond it. */
const MAX_KNOWN = 200
const known = new Map<string, ResponseType | null>()

/**
 * Chooses the media type of a GraphQL response by the `Accept` header (RFC 9110, 12.5.1): the type with the highest
 * `q`, or the first in the header if both are equal.
 * @param accept `undefined`: the header is absent, so JSON is chosen
 * @returns `null` when the client accepts neither type
 */
export function negotiate(accept: string | undefined): ResponseType | null {
  if (accept === undefined || accept === JSON_TYPE || accept === '*/*') return JSON_TYPE
  if (accept === RESPONSE) return RESPONSE
  let type = known.get(accept)
  if (type === undefined) {
    type = choose(accept)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(accept, type)
  }
  return type
}

interface Range {
  readonly type: string
  readonly quality: number
  readonly charset: string | undefined
}

/** Supported media types. The first is the default. */
const PRODUCED: readonly ResponseType[] = [JSON_TYPE, RESPONSE]

function choose(accept: string): ResponseType | null {
  if (accept.trim() === '') return JSON_TYPE
  const ranges = accept.split(',').map(parseRange).filter(isUtf8)
  let best: ResponseType | null = null
  let bestQuality = 0
  let bestPlace = 0
  for (const type of PRODUCED) {
    const place = placeOfMatch(ranges, type)
    const quality = ranges[place]?.quality ?? 0
    if (quality > bestQuality || (quality === bestQuality && quality > 0 && place < bestPlace)) {
      best = type
      bestQuality = quality
      bestPlace = place
    }
  }
  return best
}

/** @returns index of the most specific range that matches the type; -1: none */
function placeOfMatch(ranges: readonly Range[], type: ResponseType): number {
  for (const pattern of [type, 'application/*', '*/*']) {
    const place = ranges.findIndex((range) => range.type === pattern)
    if (place !== -1) return place
  }
  return -1
}

function isUtf8({ charset }: Range): boolean {
  return charset === undefined || charset === 'utf-8' || charset === 'utf8'
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = Number(readParameter(parameters, 'q') ?? 1)
  return { type, quality: q >= 0 && q <= 1 ? q : 0, charset: readParameter(parameters, 'charset') }
}

function readParameter(parameters: readonly string[], name: string): string | undefined {
  const parameter = parameters.find((each) => each.startsWith(`${name}=`))
  return parameter?.slice(name.length + 1).replace(/^"(.*)"$/, '$1')
}

/** Tests whether an `Accept` header prefers an HTML page to JSON, as that of a browser does. */
export function wantsHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const html = accept.indexOf('text/html')
  const json = accept.indexOf('application/json')
  return html !== -1 && (json === -1 || html < json)
}

/** Tests whether an `Accept` header prefers an event stream to the other types of the GraphQL endpoint. */
export function wantsEvents(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes('text/event-stream')) return false
  const ranges = accept.split(',').map(parseRange)
  const stream = ranges.find(({ type }) => type === 'text/event-stream')
  if (stream === undefined || stream.quality === 0) return false
  const other = ranges.find(({ type, quality }) => quality >= stream.quality && PRODUCED.some((one) => one === type))
  return other === undefined || ranges.indexOf(stream) < ranges.indexOf(other)
}

/**
 * Tests whether a content type is JSON in UTF-8, the only type that the endpoint accepts. Forms on other sites cannot
 * send it.
 */
export function isJsonBody(contentType: string | undefined): boolean {
  if (contentType === undefined) return false
  if (contentType === JSON_TYPE) return true
  const range = parseRange(contentType)
  return range.type === JSON_TYPE && isUtf8(range)
}

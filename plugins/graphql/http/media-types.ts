/** The two shapes of an answer (GraphQL over HTTP). They differ in the status of failures alone. */
export type ResponseType = 'application/json' | 'application/graphql-response+json'

const RESPONSE: ResponseType = 'application/graphql-response+json'
const JSON_TYPE: ResponseType = 'application/json'
/** Answers for headers that were seen, so that a client's header is read once. Cleared when it grows beyond this. */
const MAX_KNOWN = 200
const known = new Map<string, ResponseType | null>()

/**
 * The media type of the answer (RFC 9110, 12.5.1): each takes the `q` of the range that names it most exactly, and the best
 * one is sent; of equals that which stands first.
 * @returns `null` when none can be produced
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

/** What can be sent; where the client has no preference, the first. */
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

/** @returns index of the range that names the type most exactly; -1 = none */
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

/** Does the client ask for a page? Browsers put `text/html` first. */
export function wantsHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const html = accept.indexOf('text/html')
  const json = accept.indexOf('application/json')
  return html !== -1 && (json === -1 || html < json)
}

/** Does the client ask for a stream of events, and for nothing else before it? */
export function wantsEvents(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes('text/event-stream')) return false
  const ranges = accept.split(',').map(parseRange)
  const stream = ranges.find(({ type }) => type === 'text/event-stream')
  if (stream === undefined || stream.quality === 0) return false
  const other = ranges.find(({ type, quality }) => quality >= stream.quality && PRODUCED.some((one) => one === type))
  return other === undefined || ranges.indexOf(stream) < ranges.indexOf(other)
}

/** Is this a body that the endpoint reads? JSON in UTF-8 only: no form that a foreign page can send is among them. */
export function isJsonBody(contentType: string | undefined): boolean {
  if (contentType === undefined) return false
  if (contentType === JSON_TYPE) return true
  const range = parseRange(contentType)
  return range.type === JSON_TYPE && isUtf8(range)
}

/** The two shapes of an answer (GraphQL over HTTP). They differ in the status of failures alone. */
export type ResponseType = 'application/json' | 'application/graphql-response+json'

const RESPONSE: ResponseType = 'application/graphql-response+json'
const JSON_TYPE: ResponseType = 'application/json'
/** Answers for headers that were seen, so that a client's header is read once. Cleared when it grows beyond this. */
const MAX_KNOWN = 200
const known = new Map<string, ResponseType | null>()

/**
 * The media type of the answer: the client's best by `q`, the first of equals.
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

function choose(accept: string): ResponseType | null {
  if (accept.trim() === '') return JSON_TYPE
  const ranges = accept.split(',').map(parseRange)
  const refused = new Set(ranges.filter((range) => range.quality === 0).map((range) => range.type))
  let best: ResponseType | null = null
  let bestQuality = 0
  for (const range of ranges) {
    const type = produce(range, refused)
    if (type !== null && range.quality > bestQuality) {
      best = type
      bestQuality = range.quality
    }
  }
  return best
}

function produce({ type, charset }: Range, refused: ReadonlySet<string>): ResponseType | null {
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') return null
  if (type === JSON_TYPE || type === RESPONSE) return type
  if (type !== '*/*' && type !== 'application/*') return null
  return refused.has(JSON_TYPE) ? (refused.has(RESPONSE) ? null : RESPONSE) : JSON_TYPE
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = Number(readParameter(parameters, 'q') ?? 1)
  return { type, quality: Number.isNaN(q) ? 0 : q, charset: readParameter(parameters, 'charset') }
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

/** Is this a body that the endpoint reads? JSON in UTF-8 only: no form that a foreign page can send is among them. */
export function isJsonBody(contentType: string | undefined): boolean {
  if (contentType === undefined) return false
  if (contentType === JSON_TYPE) return true
  const { type, charset } = parseRange(contentType)
  return type === JSON_TYPE && (charset === undefined || charset === 'utf-8' || charset === 'utf8')
}

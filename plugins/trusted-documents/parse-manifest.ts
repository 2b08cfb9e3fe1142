import { createHash } from 'node:crypto'

/** GraphQL documents by id: a hash without prefix, or the id in an Apollo manifest. */
export type Documents = ReadonlyMap<string, string>

export interface ParsedManifest {
  readonly documents: Documents
  /** Problems of the manifest, each with its entry. A manifest with problems is not used. */
  readonly faults: readonly string[]
}

/** Hash algorithm by the number of hex digits. Relay uses MD5 by default. */
const ALGORITHMS: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' }
const HEX = /^[0-9a-f]+$/
const APOLLO = 'apollo-persisted-query-manifest'
const SHOWN_FAULTS = 20

/**
 * Parses a manifest of trusted documents. Formats: `{ hash: text }` as Relay writes it; `{ version, documents: { hash:
 * text } }`; Apollo's `{ format, version, operations: [{ id, body }] }`.
 * @param text content of the file
 */
export function parseManifest(text: string): ParsedManifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refused(`it is not JSON: ${(error as Error).message}`)
  }
  if (!isObject(value)) return refused('it is not a JSON object')
  const documents = new Map<string, string>()
  const faults: string[] = []
  for (const { id, body, isHash } of entriesOf(value, faults)) {
    const why = whyNot(id, body, isHash)
    if (why !== null) faults.push(`"${shorten(id)}" ${why}`)
    else if (documents.has(bareId(id))) faults.push(`"${shorten(id)}" stands there twice`)
    else documents.set(bareId(id), body as string)
  }
  const more = faults.length - SHOWN_FAULTS
  return { documents, faults: more > 0 ? [...faults.slice(0, SHOWN_FAULTS), `and ${more} more`] : faults }
}

/** Removes the prefix `sha256:` from the id of a document, which some manifests and clients use. */
export function bareId(id: string): string {
  return id.startsWith('sha256:') ? id.slice(7) : id
}

interface Entry {
  readonly id: string
  readonly body: unknown
  /** Is the id a hash of the text? Otherwise it is any name. */
  readonly isHash: boolean
}

function entriesOf(value: Readonly<Record<string, unknown>>, faults: string[]): readonly Entry[] {
  if (value.format === APOLLO) {
    if (Array.isArray(value.operations)) return value.operations.flatMap((each, at) => apolloEntry(each, at, faults))
    faults.push('"operations" is not a list')
    return []
  }
  const isVersioned = isObject(value.documents)
  const { documents } = value
  return Object.entries(isVersioned ? (documents as object) : value).map(([id, body]) => ({ id, body, isHash: true }))
}

function apolloEntry(operation: unknown, at: number, faults: string[]): readonly Entry[] {
  const { id, body } = isObject(operation) ? operation : {}
  // The Apollo tool writes the SHA-256 by default.
  if (typeof id === 'string' && id !== '')
    return [{ id, body, isHash: HEX.test(bareId(id)) && bareId(id).length === 64 }]
  faults.push(`operations[${at}] has no id`)
  return []
}

function whyNot(id: string, body: unknown, isHash: boolean): string | null {
  if (typeof body !== 'string') return 'has no text'
  if (!isHash) return null
  const hash = bareId(id)
  const algorithm = HEX.test(hash) ? ALGORITHMS[hash.length] : undefined
  if (algorithm === undefined) return 'is no hash: 64 lower-case hex digits of SHA-256 (or 40 of SHA-1, 32 of MD5)'
  const actual = createHash(algorithm).update(body, 'utf8').digest('hex')
  return actual === hash ? null : `is not the hash of its text, which is ${actual}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refused(why: string): ParsedManifest {
  return { documents: new Map(), faults: [why] }
}

function shorten(id: string): string {
  return id.length > 80 ? `${id.slice(0, 80)}…` : id
}

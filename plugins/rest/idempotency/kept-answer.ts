import type { Reply } from '../../../core/doors/plugin.ts'

/** What is kept of a request with an `Idempotency-Key`. */
export type KeptAnswer =
  | { readonly print: string; readonly state: 'running' | 'unknown' }
  | {
      readonly print: string
      readonly state: 'done'
      readonly status: number
      readonly headers: Reply['headers']
      readonly body: string | null
      /** The body was too long to be kept. */
      readonly isCut: boolean
    }

export type DoneAnswer = Extract<KeptAnswer, { readonly state: 'done' }>

/** @param maxBytes of the body that are kept */
export function keptAnswer(print: string, { status, headers, body }: Reply, maxBytes: number): DoneAnswer {
  const text = typeof body === 'string' ? body : null
  const isCut = body !== null && (text === null || Buffer.byteLength(text) > maxBytes)
  return { print, state: 'done', status, headers, body: isCut ? null : text, isCut }
}

/** The answer once more, marked as such; where it was too long without its body, as `return=minimal` is. */
export function replayed({ status, headers, body, isCut }: DoneAnswer): Reply {
  const { 'content-type': type, ...others } = headers
  const marked: Record<string, string | readonly string[]> = {
    ...others,
    'idempotency-key': 'replayed=true',
    'idempotency-replayed': 'true',
  }
  if (isCut) marked['x-preference-fallback'] = 'representation-unavailable'
  else if (type !== undefined) marked['content-type'] = type
  return { status, headers: marked, body }
}

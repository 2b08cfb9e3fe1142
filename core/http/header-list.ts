import type { Reply } from '../contract/reply.ts'
import type { HttpContext } from './http-context.ts'

/**
 * The headers of an answer as name, value, name, value …: the form that Node writes without building a table first.
 * What the request's hooks laid down (`ctx.replyHeaders`) joins what the front says, also when it says an error.
 */
export function headerList(reply: Reply, ctx: HttpContext): (string | number)[] {
  const list: (string | number)[] = []
  const { headers } = reply
  const more = ctx.replyHeaders
  for (const name in headers) {
    const value = headers[name] as string | readonly string[]
    if (typeof value !== 'string') for (const each of value) list.push(name, each)
    else if (more === null || more[name] === undefined) list.push(name, value)
    // Both vary, by different things; of any other header the hook's word counts.
    else if (name === 'vary') list.push(name, joinVary(value, more.vary as string))
  }
  if (more !== null) {
    for (const name in more) if (name !== 'vary' || headers.vary === undefined) list.push(name, more[name] as string)
  }
  if (reply.status >= 400 || ctx.hasId) list.push('x-request-id', ctx.id)
  return list
}

/** Of the few pairs that a service makes; it has no more than plugins and routes. */
const joined = new Map<string, string>()
const MOST_PAIRS = 200

/** One list of both, each name once, however it is written; `*` is all of them (RFC 9110, 12.5.5). */
function joinVary(own: string, more: string): string {
  const pair = `${own}\n${more}`
  let list = joined.get(pair)
  if (list === undefined) {
    const names = [...own.split(','), ...more.split(',')].map((name) => name.trim()).filter((name) => name !== '')
    const byName = new Map<string, string>()
    for (const name of names) if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), name)
    list = byName.has('*') ? '*' : [...byName.values()].join(', ')
    if (joined.size < MOST_PAIRS) joined.set(pair, list)
  }
  return list
}

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
    else if (name === 'vary') list.push(name, `${value}, ${more.vary}`)
  }
  if (more !== null) {
    for (const name in more) if (name !== 'vary' || headers.vary === undefined) list.push(name, more[name] as string)
  }
  if (reply.status >= 400 || ctx.hasId) list.push('x-request-id', ctx.id)
  return list
}

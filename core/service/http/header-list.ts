import type { Reply } from '../../contract/reply.ts'
import type { Cacheability } from './cacheability.ts'
import type { HttpContext } from './http-context.ts'
import { joinVary } from './join-vary.ts'

/**
 * Returns the headers of a reply as a flat list of name, value, name, value, which Node writes fastest. It merges the
 * headers of hooks (`ctx.replyHeaders`) with those of the reply, and adds `Cache-Control`, `Vary` and `X-Request-Id`.
 */
export function headerList(reply: Reply, ctx: HttpContext, cacheability: Cacheability): (string | number)[] {
  const list: (string | number)[] = []
  const { headers } = reply
  const more = ctx.replyHeaders
  let control: string | undefined
  let vary: string | undefined
  let setsCookie = false
  for (const name in headers) {
    const value = headers[name] as string | readonly string[]
    if (name === 'cache-control') control = String(value)
    else if (name === 'vary') vary = String(value)
    else {
      if (name === 'set-cookie') setsCookie = true
      if (typeof value !== 'string') for (const each of value) list.push(name, each)
      else if (more === null || more[name] === undefined) list.push(name, value)
    }
  }
  if (more !== null) {
    for (const name in more) {
      const value = more[name] as string
      // `Vary` is the union of both values. Of any other header, the value of the hook replaces that of the front.
      if (name === 'vary') vary = vary === undefined ? value : joinVary(vary, value)
      else if (name === 'cache-control') control = value
      else {
        if (name === 'set-cookie') setsCookie = true
        list.push(name, value)
      }
    }
  }
  list.push('cache-control', cacheability.control(ctx, reply.status, setsCookie, control))
  vary = cacheability.vary(ctx, vary)
  if (vary !== undefined) list.push('vary', vary)
  list.push('x-request-id', ctx.id)
  return list
}

import type { MiddlewareRequest } from '../../core/doors/command.ts'
import type { AnyExchange, Auth } from '../../core/doors/plugin.ts'

/** An exchange as the author's middleware sees it. */
export class AuthorRequest implements MiddlewareRequest {
  readonly #ctx: AnyExchange
  auth: Auth | null = null

  constructor(ctx: AnyExchange) {
    this.#ctx = ctx
    // Those of an HTTP request are its own; what came by a connection has the headers of all that came by it.
    if (ctx.transport !== 'http') Object.assign(ctx, { headers: { ...ctx.headers } })
  }

  get id(): string {
    return this.#ctx.id
  }

  get transport(): MiddlewareRequest['transport'] {
    return this.#ctx.transport
  }

  get method(): string | null {
    return this.#ctx.transport === 'http' ? this.#ctx.method : null
  }

  get url(): string | null {
    return this.#ctx.transport === 'http' ? this.#ctx.url : null
  }

  get headers(): MiddlewareRequest['headers'] {
    return this.#ctx.headers as MiddlewareRequest['headers']
  }

  get address(): string {
    return this.#ctx.address
  }

  get context(): Record<string, unknown> {
    return this.#ctx.context
  }
}

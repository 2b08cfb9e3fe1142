import type { OwnedCredential } from '../../contract/credential.ts'
import type { HttpExchange } from '../../contract/http-exchange.ts'
import { joinVary } from './join-vary.ts'

/** Computes the headers `Cache-Control` and `Vary` of every HTTP reply, so that shared caches never mix up callers. */
export interface Cacheability {
  /**
   * Returns the value of `Cache-Control`.
   * @param status status of the reply
   * @param setsCookie `true`: the reply has `Set-Cookie`
   * @param said value that the front or a hook has set; `undefined`: none, which gives `no-store`
   */
  control(ctx: RequestFacts, status: number, setsCookie: boolean, said: string | undefined): string
  /**
   * Returns the value of `Vary`.
   * @param said value that the front or a hook has set; `undefined`: none
   * @returns `undefined`: send no `Vary`
   */
  vary(ctx: RequestFacts, said: string | undefined): string | undefined
}

/** The properties of a request on which `Cache-Control` and `Vary` of its reply depend. */
export type RequestFacts = Pick<HttpExchange, 'method' | 'headers' | 'auth' | 'route'> & { readonly isPrivate: boolean }

export interface CacheabilityParts {
  /** Headers and cookies that carry credentials, as the enabled plugins declare them. */
  readonly credentials: readonly Pick<OwnedCredential, 'in' | 'name'>[]
  /** Further request headers that responses depend on, because session variables of the database have their values. */
  readonly variesBy: readonly string[]
  /**
   * `true`: an enabled plugin verifies credentials and does not declare in which header or cookie. Every reply is then
   * private.
   */
  readonly hasUnknown: boolean
}

const NOBODY = 'no-store'
/** Clients send these headers, and middleware may read them, even when no plugin does. */
const ALWAYS_CREDENTIALS = ['authorization', 'cookie']

/**
 * Creates the rules for `Cache-Control` and `Vary` of all replies. A shared cache may store a reply only if the plugin
 * that made the reply allows that, the request has no credential, the status is below 400, and the reply sets no
 * cookie. `Vary` names the request headers that the reply depends on.
 */
export function createCacheability({ credentials, variesBy, hasUnknown }: CacheabilityParts): Cacheability {
  const names = credentials.map(({ in: place, name }) => (place === 'cookie' ? 'Cookie' : name))
  // Every plugin that reads credentials may read `Authorization`. Without such a plugin no reply depends on it.
  const common = names.length > 0 || hasUnknown ? ['Authorization'] : []
  const all = joinVary([...common, ...names, ...variesBy].join(', '), '')
  const withCookie = joinVary(all, 'Cookie')
  const read = [...new Set([...ALWAYS_CREDENTIALS, ...names.map((name) => name.toLowerCase())])]
  const isNeverShared = hasUnknown || variesBy.length > 0
  return {
    control(ctx, status, setsCookie, said) {
      if (said === undefined || setsCookie || status >= 400) return NOBODY
      if (said === NOBODY || isAnonymous(ctx) || /\b(?:private|no-store)\b/i.test(said)) return said
      const isPrivate =
        isNeverShared || ctx.isPrivate || ctx.auth !== null || read.some((name) => ctx.headers[name] !== undefined)
      return isPrivate ? toPrivate(said) : said
    },
    vary(ctx, said) {
      // Caches only store replies to GET and HEAD.
      if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || ctx.route === null || isAnonymous(ctx)) return said
      const own = ctx.headers.cookie === undefined ? all : withCookie
      if (said === undefined) return own === '' ? undefined : own
      return joinVary(own, said)
    },
  }
}

/** The rules of {@link createCacheability} for a service whose plugins declare no credentials. */
export const UNKNOWN_CALLERS: Cacheability = createCacheability({ credentials: [], variesBy: [], hasUnknown: false })

/** Is the route declared anonymous? Then its reply is the same for all callers. */
function isAnonymous({ route }: RequestFacts): boolean {
  return route?.anonymous === true
}

/** Returns the `Cache-Control` with `private`, for the cache of one caller: `public, max-age=60` → `private, max-age=60`. */
function toPrivate(said: string): string {
  const kept = said
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/^(?:public$|s-maxage=|proxy-revalidate$)/i.test(part))
  return ['private', ...kept].join(', ')
}

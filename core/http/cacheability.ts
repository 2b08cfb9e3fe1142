import type { OwnedCredential } from '../contract/credential.ts'
import type { HttpExchange } from '../contract/http-exchange.ts'
import { joinVary } from './join-vary.ts'

/** Says of every answer over HTTP who may keep it, and what it depends on. */
export interface Cacheability {
  /**
   * The `Cache-Control` of an answer.
   * @param said what the front says, or a hook; nothing = nobody may keep it
   */
  control(ctx: Asked, status: number, setsCookie: boolean, said: string | undefined): string
  /** The `Vary` of an answer. @param said what the front and the hooks say */
  vary(ctx: Asked, said: string | undefined): string | undefined
}

/** What is looked at of a request. */
export type Asked = Pick<HttpExchange, 'method' | 'headers' | 'auth' | 'route'> & { readonly isPrivate: boolean }

export interface CacheabilityParts {
  /** How callers say who they are, as all plugins of the list tell. */
  readonly credentials: readonly Pick<OwnedCredential, 'in' | 'name'>[]
  /** Headers besides that rows depend on: those of session variables. */
  readonly variesBy: readonly string[]
  /** A plugin of the list verifies credentials without saying where they are: no answer is for others. */
  readonly hasUnknown: boolean
}

const NOBODY = 'no-store'
/** Browsers and clients send it, and middleware may look at it, whatever the plugins read. */
const ALWAYS_CREDENTIALS = ['authorization', 'cookie']

/**
 * The one place that decides about caches, for every front: an answer is kept by others only where its front says so, nobody
 * said who asks, nothing failed, and no cookie is set. `Vary` names what the answer would have depended on.
 */
export function createCacheability({ credentials, variesBy, hasUnknown }: CacheabilityParts): Cacheability {
  const names = credentials.map(({ in: place, name }) => (place === 'cookie' ? 'Cookie' : name))
  // Whoever takes a credential may find it there. Where nothing is taken no answer depends on it.
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
      // Caches keep answers to these alone.
      if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || ctx.route === null || isAnonymous(ctx)) return said
      const own = ctx.headers.cookie === undefined ? all : withCookie
      if (said === undefined) return own === '' ? undefined : own
      return joinVary(own, said)
    },
  }
}

/** What a service says that no plugin has told anything: for servers without plugins. */
export const UNKNOWN_CALLERS: Cacheability = createCacheability({ credentials: [], variesBy: [], hasUnknown: false })

/** The same for everybody, whatever they send. */
function isAnonymous({ route }: Asked): boolean {
  return route?.anonymous === true
}

/** The same time, for one caller. */
function toPrivate(said: string): string {
  const kept = said
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/^(?:public$|s-maxage=|proxy-revalidate$)/i.test(part))
  return ['private', ...kept].join(', ')
}

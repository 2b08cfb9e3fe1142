import type { Auth } from '../../core/doors/plugin.ts'
import type { Need } from './need.ts'

/** Maximum number of cached entries. The oldest is evicted. */
const MOST_RIGHTS = 1000
/** Maximum length of a cache key. Permissions of credentials with more scopes and roles are not cached. */
const LONGEST_KEY = 8192

/** Cached answers to which requirements a set of scopes and roles meets. All callers with this set share it. */
export class Rights {
  /** `null` for anonymous callers, who have no permissions. */
  readonly #auth: Pick<Auth, 'scopes' | 'roles' | 'method'> | null
  readonly #met = new Map<string, boolean>()

  constructor(auth: Auth | null) {
    // Claims grant no permissions, and are not stored.
    this.#auth =
      auth === null ? null : { scopes: [...(auth.scopes ?? [])], roles: [...(auth.roles ?? [])], method: auth.method }
  }

  get known(): boolean {
    return this.#auth !== null
  }

  meets(need: Need): boolean {
    let met = this.#met.get(need.key)
    if (met === undefined) {
      met = this.#auth !== null && need.isMetBy(this.#auth as Auth)
      this.#met.set(need.key, met)
    }
    return met
  }
}

/** Creates the function that finds the shared {@link Rights} of a caller; `null` stands for anonymous callers. */
export function createRightsOf(): (auth: Auth | null) => Rights {
  const anonymous = new Rights(null)
  const byAuth = new WeakMap<Auth, Rights>()
  const byKey = new Map<string, Rights>()

  function byText(auth: Auth): Rights {
    // JSON, because scopes can contain any separator.
    const key = JSON.stringify([auth.method, auth.scopes, auth.roles])
    if (key.length > LONGEST_KEY) return new Rights(auth)
    let rights = byKey.get(key)
    if (rights === undefined) {
      rights = new Rights(auth)
      if (byKey.size >= MOST_RIGHTS) for (const [oldest] of byKey) if (byKey.delete(oldest)) break
      byKey.set(key, rights)
    }
    return rights
  }

  return (auth) => {
    if (auth === null) return anonymous
    const known = byAuth.get(auth)
    if (known !== undefined) return known
    const rights = byText(auth)
    if (Object.isFrozen(auth) && Object.isFrozen(auth.scopes) && Object.isFrozen(auth.roles)) byAuth.set(auth, rights)
    return rights
  }
}

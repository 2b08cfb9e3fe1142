import type { Auth } from '../../core/doors/plugin.ts'
import type { Need } from './need.ts'

/** The oldest are worked out again. */
const MOST_RIGHTS = 1000
/** A credential with more scopes and roles than that is worked out each time. */
const LONGEST_KEY = 8192

/** What callers of one set of scopes and roles may do; one object for all of them. */
export class Rights {
  /** `null` = anonymous: has nothing. */
  readonly #auth: Pick<Auth, 'scopes' | 'roles' | 'method'> | null
  readonly #met = new Map<string, boolean>()

  constructor(auth: Auth | null) {
    // The claims are nobody's rights, and are not kept.
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

/** Finds the rights of a caller: by the credential where that cannot change any more, else by what it says. */
export function createRightsOf(): (auth: Auth | null) => Rights {
  const anonymous = new Rights(null)
  const byAuth = new WeakMap<Auth, Rights>()
  const byKey = new Map<string, Rights>()

  function byText(auth: Auth): Rights {
    // As JSON, because scopes may hold whatever a separator would be.
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

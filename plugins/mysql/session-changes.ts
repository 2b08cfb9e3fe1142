import type { Setting } from '../../core/doors/driver.ts'
import type { PositionalSql } from './placeholders.ts'
import { accessMode, hasSnapshotIsolation, type ServerFacts } from './server-session.ts'

/** How a session has to be before a statement is sent. */
export interface SessionState {
  /** Do transactions of the session only read? */
  readonly readOnly: boolean
  /** Is a transaction refused to change rows that others have changed since its snapshot? */
  readonly snapshot?: boolean
  /** User variables: `@app.tenant_id`. All others that svc has set are NULL. */
  readonly variables: readonly Setting[]
}

const INITIAL: SessionState = { readOnly: false, variables: [] }

/** What has to be sent to bring a session from its state into another. */
export class SessionChanges {
  readonly #facts: ServerFacts
  #state = INITIAL

  constructor(facts: ServerFacts) {
    this.#facts = facts
  }

  /** Returns the statement that changes the session; `null`: it is in this state. */
  changeTo(state: SessionState): { readonly sql: PositionalSql; readonly values: readonly (string | null)[] } | null {
    const sets: string[] = []
    const values: (string | null)[] = []
    const { readOnly, snapshot = false, variables } = state
    if (readOnly !== this.#state.readOnly) sets.push(`SESSION ${accessMode(this.#facts)} = ${readOnly ? 1 : 0}`)
    if (snapshot !== (this.#state.snapshot ?? false) && hasSnapshotIsolation(this.#facts)) {
      sets.push(`SESSION innodb_snapshot_isolation = ${snapshot ? 1 : 0}`)
    }
    const wanted = valuesOf(variables)
    const before = valuesOf(this.#state.variables)
    for (const name of before.keys()) if (!wanted.has(name)) sets.push(`${variable(name)} = NULL`)
    for (const [name, value] of wanted) {
      if (before.get(name) === value) continue
      sets.push(`${variable(name)} = ?`)
      values.push(value)
    }
    // After an error, the session may be in neither state, so that it has to be reset: as after a call.
    return sets.length === 0 ? null : { sql: { text: `SET ${sets.join(', ')}`, order: [], isCall: true }, values }
  }

  /** The statement of {@link changeTo} has been executed. */
  changed(state: SessionState): void {
    this.#state = state
  }

  /** The session was reset. */
  reset(): void {
    this.#state = INITIAL
  }
}

function valuesOf(variables: readonly Setting[]): ReadonlyMap<string, string> {
  return new Map(variables.map(({ name, value }) => [name.toLowerCase(), value]))
}

/** A user variable whose name may have any characters: @`app.tenant_id`. Case does not matter. */
function variable(name: string): string {
  return `@\`${name.replaceAll('`', '``')}\``
}

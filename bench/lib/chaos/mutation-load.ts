import { setTimeout as sleep } from 'node:timers/promises'
import { postGraphQL } from '../post.ts'

export interface LoadCounts {
  /** Answered as a success. */
  committed: number
  /** Responses with the requested failure. */
  rolledBack: number
  /** Not answered, or answered that it cannot be now. */
  away: number
}

export interface MutationLoadOptions {
  /** URL of the server, which may change. */
  readonly url: () => string
  readonly connections: number
  /** Changes that are to be answered as a success. */
  readonly committed: number
  /** Called behind each of them. */
  readonly onCommitted: (count: number) => void
}

/** Items that are changed at once: few, so that the changes of one stand close to each other. */
const ITEMS = 300
const AWAY_MS = 20
const MAKE = 'mutation ($name: String!) { makeItem(name: $name) { id } }'
const CHANGE = 'mutation ($id: ID!, $name: String!) { changeItem(id: $id, name: $name) { id } }'
const DROP = 'mutation ($id: ID!) { dropItem(id: $id) { id } }'
const FAIL = 'mutation ($id: ID!) { failItem(id: $id) { id } }'
const REFUSE = 'mutation ($id: ID!) { refuseItem(id: $id) { id } }'

type Outcome = 'committed' | 'rolledBack' | 'away'

/**
 * Creates, changes and drops items as fast as the connections allow, and makes one of twelve changes fail: in its
 * function, or at COMMIT. It does not repeat an unanswered request, because it may have been committed.
 * @throws Error for an unexpected response
 */
export async function runMutationLoad(options: MutationLoadOptions): Promise<LoadCounts> {
  const counts: LoadCounts = { committed: 0, rolledBack: 0, away: 0 }
  const ids: string[] = []
  let asked = 0

  async function ask(query: string, variables: object, wanted: Outcome): Promise<{ outcome: Outcome; body: string }> {
    let body = ''
    try {
      const answer = await postGraphQL(options.url(), { query, variables: { ...variables } })
      body = answer.body
    } catch {
      return { outcome: 'away', body }
    }
    if (!body.includes('"errors"')) return { outcome: 'committed', body }
    // Another request dropped it meanwhile.
    if (wanted === 'rolledBack' || body.includes('no such item'))
      return { outcome: isAway(body) ? 'away' : 'rolledBack', body }
    if (isAway(body)) return { outcome: 'away', body }
    throw new Error(`${query}: ${body}`)
  }

  async function turn(): Promise<Outcome> {
    const dice = Math.random()
    const id = ids[Math.floor(Math.random() * ids.length)]
    if (id === undefined || (ids.length < ITEMS && dice < 0.5) || dice < 0.03) {
      const { outcome, body } = await ask(MAKE, { name: `item ${asked}` }, 'committed')
      if (outcome === 'committed')
        ids.push((JSON.parse(body) as { data: { makeItem: { id: string } } }).data.makeItem.id)
      return outcome
    }
    if (dice > 0.96) return (await ask(FAIL, { id }, 'rolledBack')).outcome
    if (dice > 0.92) return (await ask(REFUSE, { id }, 'rolledBack')).outcome
    if (dice > 0.89 && ids.length > ITEMS / 2) {
      ids.splice(ids.indexOf(id), 1)
      return (await ask(DROP, { id }, 'committed')).outcome
    }
    return (await ask(CHANGE, { id, name: `change ${asked}` }, 'committed')).outcome
  }

  async function client(): Promise<void> {
    while (counts.committed < options.committed) {
      asked++
      const outcome = await turn()
      counts[outcome]++
      if (outcome === 'committed') options.onCommitted(counts.committed)
      else if (outcome === 'away') await sleep(AWAY_MS)
    }
  }

  await Promise.all(Array.from({ length: options.connections }, client))
  return counts
}

/** The service says that it cannot now, or that it does not know. */
function isAway(body: string): boolean {
  return /SERVICE_UNAVAILABLE|"outcome"|TIMEOUT|"statusCode":50[0234]/.test(body)
}

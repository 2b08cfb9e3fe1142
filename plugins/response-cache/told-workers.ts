import type { Peers } from '../../core/doors/plugin.ts'

/** What a worker tells the others: views, or `null` for all. */
const TOPIC = 'response-cache:written'
/** Answered behind what was told before it: whoever has answered has heard. */
const HEARD = 'response-cache:heard'

/**
 * Between the processes of one machine.
 * @param heard another process has written
 * @returns tells them, and resolves when they have heard; `null`: there are none
 */
export function createTold(
  peers: Peers,
  heard: (views: readonly string[] | null) => void,
): ((views: readonly string[] | null) => Promise<void>) | null {
  peers.hear(TOPIC, (views) => heard(views as readonly string[] | null))
  peers.answer(HEARD, () => true)
  if (peers.index === null) return null
  return async (views) => {
    peers.tell(TOPIC, views)
    await peers.ask(HEARD)
  }
}

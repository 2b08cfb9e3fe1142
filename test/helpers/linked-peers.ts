import type { Peers } from '../../core/contract/peers.ts'
import { Answers } from '../../core/service/plugins/lone-peers.ts'

/** Processes that serve together, in one process: each hears what the others tell, as JSON. */
export function createLinkedPeers(count: number): readonly Peers[] {
  const all = Array.from({ length: count }, () => new Answers())
  const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
  return all.map((own, at) => ({
    index: at + 1,
    answer: (topic, give) => own.add(topic, give),
    ask: async (topic) => (await Promise.all(all.map((one) => one.give(topic)))).flat(),
    tell: (topic, value) => {
      for (const other of all) if (other !== own) other.told(topic, asJson(value))
    },
    hear: (topic, listener) => own.listen(topic, listener),
  }))
}

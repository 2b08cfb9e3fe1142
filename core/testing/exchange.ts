import type { Exchange } from '../contract/exchange.ts'
import type { Generation } from '../contract/generation.ts'
import { PlainExchange } from '../service/lifecycle/plain-exchange.ts'

/** An exchange that the test can abort, like a disconnected client or the deadline. */
export interface TestExchange extends Exchange {
  abort(reason: 'timeout' | 'client'): void
}

/** Creates an anonymous exchange on a generation. @param overrides members to replace */
export function testExchange(generation: Generation, overrides: Partial<Exchange> = {}): TestExchange {
  const exchange = new PlainExchange(generation, { id: 'test', transport: 'internal', address: '127.0.0.1' })
  return Object.defineProperties(exchange, Object.getOwnPropertyDescriptors(overrides)) as TestExchange
}

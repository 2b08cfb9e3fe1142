import type { Exchange } from '../contract/exchange.ts'
import type { Generation } from '../contract/generation.ts'
import { PlainExchange } from '../service/lifecycle/plain-exchange.ts'

/** A request that a test creates. The test can abort it as a disconnected client or a deadline would. */
export interface TestExchange extends Exchange {
  abort(reason: 'timeout' | 'client'): void
}

/** Creates a request without a credential for a test of hooks. @param overrides members that replace the defaults */
export function testExchange(generation: Generation, overrides: Partial<Exchange> = {}): TestExchange {
  const exchange = new PlainExchange(generation, { id: 'test', transport: 'internal', address: '127.0.0.1' })
  return Object.defineProperties(exchange, Object.getOwnPropertyDescriptors(overrides)) as TestExchange
}

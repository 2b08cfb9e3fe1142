import type { Exchange } from '../../../contract/exchange.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { BoundWrite, WriteMode } from '../../../contract/prepared-write.ts'
import type { WriteStamp } from '../../../contract/slot.ts'
import { stampOf } from './committed.ts'
import type { RootPlan } from './root-plan.ts'

/** A root field of a mutation with the parameters of a request. */
export interface BoundCall {
  readonly plan: RootPlan
  readonly bound: BoundWrite
  /** Id and time of the write; `null`: no plugin or front requests the written rows. */
  readonly stamp: WriteStamp | null
}

/** Binds the parameters of a root field, before any statement runs. @throws SvcError UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT */
export function bindCall(exchange: Exchange, operation: Operation, plan: RootPlan, mode: WriteMode): BoundCall {
  const stamp = plan.tells ? stampOf(exchange, operation) : null
  const { variables } = operation
  const input = stamp === null ? { variables, exchange } : { variables, exchange, event: stamp }
  return { plan, bound: plan.write.bind(input, mode), stamp }
}

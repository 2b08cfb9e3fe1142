import type { Exchange } from '../../../contract/exchange.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { BoundWrite, WriteMode } from '../../../contract/prepared-write.ts'
import type { WriteStamp } from '../../../contract/slot.ts'
import { stampOf } from './committed.ts'
import type { RootPlan } from './root-plan.ts'

/** The call of a mutation's function in one request: its plan and its statement with parameters. */
export interface BoundCall {
  readonly plan: RootPlan
  readonly bound: BoundWrite
  /** Id and time that the write is reported with; `null`: no hook, event or response needs the written rows. */
  readonly stamp: WriteStamp | null
}

/**
 * Binds the arguments of a mutation's root field to its statement. Call it before any statement runs.
 * @param mode `single`: one auto-committed statement; `transaction`: inside an explicit transaction
 * @throws SvcError UNAUTHENTICATED, FORBIDDEN: a claim for `inject` is missing; BAD_USER_INPUT: an argument is invalid
 */
export function bindCall(exchange: Exchange, operation: Operation, plan: RootPlan, mode: WriteMode): BoundCall {
  const stamp = plan.tells ? stampOf(exchange, operation) : null
  const { variables } = operation
  const input = stamp === null ? { variables, exchange } : { variables, exchange, event: stamp }
  return { plan, bound: plan.write.bind(input, mode), stamp }
}

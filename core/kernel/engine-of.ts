import { DEFAULT_DATABASE } from '../util/database-name.ts'
import type { ScopeTarget } from './create-scope.ts'
import { tooEarly } from './create-scope.ts'
import type { KernelOptions } from './kernel-options.ts'
import { type LiveState, running } from './process-view.ts'

/** The part of what scopes call that is there when boot is over: the pipeline, the engine, the database. */
export function engineOf(
  options: KernelOptions,
  live: LiveState,
): Pick<
  ScopeTarget,
  | 'isSealed'
  | 'run'
  | 'explain'
  | 'authorize'
  | 'sourcesOf'
  | 'answerKey'
  | 'plan'
  | 'identify'
  | 'enter'
  | 'toPublicError'
  | 'database'
  | 'databases'
> {
  return {
    isSealed: () => live.sealed,
    run: (exchange, operation) => options.run(running(live), exchange, operation),
    async explain(exchange, operation, wanted) {
      if (options.explain === undefined) throw tooEarly('there is no engine to explain anything')
      return options.explain(exchange, operation, wanted)
    },
    authorize(exchange, operation) {
      if (options.authorize === undefined) throw tooEarly('there is nobody to authorize anything')
      return options.authorize(exchange, operation)
    },
    sourcesOf(exchange, operation) {
      if (options.readSources === undefined) throw tooEarly('there is no engine that reads anything')
      return options.readSources(exchange, operation)
    },
    answerKey(exchange, operation) {
      if (options.answerKey === undefined) throw tooEarly('there is no engine that answers anything')
      return options.answerKey(exchange, operation)
    },
    async plan(exchange, operation) {
      if (options.plan === undefined) throw tooEarly('there is no engine that plans anything')
      return options.plan(exchange, operation)
    },
    identify(exchange) {
      running(live)
      return options.identify === undefined ? exchange.auth : options.identify(exchange)
    },
    enter(arrival, handler) {
      running(live)
      return options.enter(arrival, handler)
    },
    toPublicError(error, exchange) {
      return running(live).toPublicError(error, exchange)
    },
    database() {
      if (live.database === null) throw tooEarly('the database is not open')
      return live.database
    },
    databases() {
      if (live.database === null) throw tooEarly('the database is not open')
      return new Map([[DEFAULT_DATABASE, live.database], ...(options.databases?.() ?? [])])
    },
  }
}

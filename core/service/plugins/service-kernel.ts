import type { OwnedCredential } from '../../contract/credential.ts'
import type { DatabaseDriver } from '../../contract/database.ts'
import type { EngineStages } from '../../contract/engine-stages.ts'
import type { Kernel } from '../../contract/kernel.ts'
import type { MutationHooksOf } from '../../contract/mutation-hooks.ts'
import type { OwnedObserver } from '../../contract/observer.ts'
import type { ConnectedService } from '../../contract/pipeline.ts'
import type { ProcessView } from '../../contract/process.ts'
import type { ToPublicError } from '../../contract/public-error.ts'
import type { OwnedRoute } from '../../contract/route.ts'
import type { ServiceStages } from '../../contract/service-stages.ts'
import type { Runner } from '../../contract/stages.ts'
import type { OwnedComment } from '../../contract/statement-comment.ts'
import type { OwnedUpgrade } from '../../contract/upgrade.ts'
import type { OwnedContribution } from '../../contract/write-contribution.ts'
import type { KernelDescription } from './describe-plugins.ts'
import type { Reload } from './reload.ts'

/** Compiled hooks of the stages of service and engine; `null`: the stage has no hooks. */
export type ServiceHooks = { readonly [S in keyof (ServiceStages & EngineStages)]: Runner<S> | null }

/** The kernel with the stages, routes, drivers and other registrations of a service. It does not listen. */
export interface ServiceKernel extends Kernel {
  readonly hooks: ServiceHooks
  /** Returns the hooks of `mutation:before` and `mutation:after` for a mutation; `null`: no plugin hooks these stages. */
  readonly mutationHooksOf: MutationHooksOf | null
  /** Routes that do not depend on the schema. */
  readonly routes: readonly OwnedRoute[]
  /** Converts any thrown value to the error that clients see, through the hooks of `error:public`. */
  readonly toPublicError: ToPublicError
  /** Handlers of upgrade requests, by path. */
  readonly upgrades: readonly OwnedUpgrade[]
  /** Credentials of `scope.credentials`. */
  readonly credentials: readonly OwnedCredential[]
  /** Observers of `scope.observe`. */
  readonly observers: readonly OwnedObserver[]
  /** Comment functions of observers (`Observer.statementComment`). */
  readonly comments: readonly OwnedComment[]
  readonly drivers: readonly DatabaseDriver[]
  /** Contributions of `scope.writes`. */
  readonly contributions: readonly OwnedContribution[]
  readonly process: ProcessView
  /** Connects plugins to the service around the kernel. Before, `scope.engine` and `scope.pipeline` throw SVC_SCOPE_PHASE. */
  connect(service: ConnectedService): void
  /** Loads a schema and swaps in its generation; see {@link Reload}. */
  readonly reload: Reload
  describe(): KernelDescription
}

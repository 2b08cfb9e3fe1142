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

/**
 * For each stage of service and engine, the function that runs the hooks of plugins; `null`: no plugin has hooks for
 * the stage.
 */
export type ServiceHooks = { readonly [S in keyof (ServiceStages & EngineStages)]: Runner<S> | null }

/**
 * The plugins of a service after their set-up, with everything that they registered. HTTP server and engine are created
 * around it.
 */
export interface ServiceKernel extends Kernel {
  readonly hooks: ServiceHooks
  /** Returns the `mutation:before` and `mutation:after` hooks of a mutation; `null`: no plugin has such hooks. */
  readonly mutationHooksOf: MutationHooksOf | null
  /** Routes of plugins that do not depend on the schema. */
  readonly routes: readonly OwnedRoute[]
  /** Converts any thrown value to the error that clients see. It runs the `error:public` hooks. */
  readonly toPublicError: ToPublicError
  /** Handlers of upgrade requests (WebSocket) that plugins registered. */
  readonly upgrades: readonly OwnedUpgrade[]
  /** Headers and cookies in which plugins expect credentials (`scope.credentials`). */
  readonly credentials: readonly OwnedCredential[]
  /** Observers of the request processing that plugins registered (`scope.observe`). */
  readonly observers: readonly OwnedObserver[]
  /** Functions of plugins that return comments for SQL statements (`Observer.statementComment`). */
  readonly comments: readonly OwnedComment[]
  readonly drivers: readonly DatabaseDriver[]
  /** What plugins add to mutations (`scope.writes`), such as an INSERT for each written row. */
  readonly contributions: readonly OwnedContribution[]
  readonly process: ProcessView
  /**
   * Gives the scopes of plugins access to the service. Before this call, `scope.engine` and `scope.pipeline` throw
   * SVC_SCOPE_PHASE.
   */
  connect(service: ConnectedService): void
  /** Loads a schema and serves it to new requests; see {@link Reload}. */
  readonly reload: Reload
  describe(): KernelDescription
}

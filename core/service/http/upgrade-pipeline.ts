import { isPromise } from '../../base/util/promise.ts'
import type { Reply } from '../../contract/reply.ts'
import type { Route } from '../../contract/route.ts'
import type { MaybePromise } from '../../contract/stages.ts'
import type { OwnedUpgrade } from '../../contract/upgrade.ts'
import { createPipeline, type PipelineParts } from './pipeline.ts'
import { createRouter } from './router.ts'
import type { UpgradeContext } from './upgrade-context.ts'

/**
 * Runs upgrade requests through route match, `onRequest` and `authenticate` hooks, and the handler of a plugin, which
 * may take over the connection.
 */
export interface UpgradePipeline {
  /** Tests whether a plugin handles upgrades to the requested protocol at the path of a request. */
  has(ctx: UpgradeContext): boolean
  /**
   * Runs an upgrade request.
   * @returns a reply with status 101: the handler took over the connection, and nothing is to be sent; otherwise the
   * reply to send
   */
  run(ctx: UpgradeContext): MaybePromise<Reply>
}

const SWITCHED: Reply = Object.freeze({ status: 101, headers: Object.freeze({}), body: null })

/**
 * Creates the pipeline for upgrade requests.
 * @param upgrades handlers that plugins registered
 * @param parts hooks of the pipeline
 * @param observe wraps the pipeline with the observers of plugins
 */
export function createUpgradePipeline(
  upgrades: readonly OwnedUpgrade[],
  parts: Omit<PipelineParts<UpgradeContext>, 'router'>,
  observe: (run: UpgradePipeline['run']) => UpgradePipeline['run'],
): UpgradePipeline {
  const router = createRouter(upgrades.map(toRoute))
  return {
    has(ctx) {
      try {
        const { protocol } = router.match(ctx) as Pick<OwnedUpgrade, 'protocol'>
        return ctx.method === 'GET' && (protocol === undefined || asksFor(ctx, protocol))
      } catch {
        return false
      }
    },
    run: observe(createPipeline<UpgradeContext>({ ...parts, router })),
  }
}

function asksFor({ headers: { upgrade } }: UpgradeContext, protocol: string): boolean {
  const names = typeof upgrade === 'string' ? upgrade.split(',') : []
  return names.some((name) => name.trim().toLowerCase() === protocol)
}

function toRoute({ path, handler, ...options }: OwnedUpgrade): Route & { readonly upgrade: true } {
  return {
    ...options,
    upgrade: true,
    method: 'GET',
    path,
    handler(given) {
      const ctx = given as UpgradeContext
      const settle = (reply: unknown): Reply => (ctx.isTaken ? SWITCHED : (reply as Reply))
      const outcome = handler(ctx, ctx)
      return isPromise(outcome) ? outcome.then(settle) : settle(outcome)
    },
  }
}

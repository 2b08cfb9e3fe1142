import { isPromise } from '../../base/util/promise.ts'
import type { Reply } from '../../contract/reply.ts'
import type { Route } from '../../contract/route.ts'
import type { MaybePromise } from '../../contract/stages.ts'
import type { OwnedUpgrade } from '../../contract/upgrade.ts'
import { createPipeline, type PipelineParts } from './pipeline.ts'
import { createRouter } from './router.ts'
import type { UpgradeContext } from './upgrade-context.ts'

/** Runs requests for an upgrade: route, `onRequest`, `authenticate`, then the handler, which may take the connection. */
export interface UpgradePipeline {
  /** Tests whether a plugin handles upgrades at this path to the requested protocol. */
  has(ctx: UpgradeContext): boolean
  /**
   * Runs the pipeline for an upgrade request.
   * @returns a reply with status 101 when the handler took the connection; otherwise the reply to send
   */
  run(ctx: UpgradeContext): MaybePromise<Reply>
}

const SWITCHED: Reply = Object.freeze({ status: 101, headers: Object.freeze({}), body: null })

/** Creates the pipeline of upgrade requests. @param observe wraps the whole pipeline with observers */
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

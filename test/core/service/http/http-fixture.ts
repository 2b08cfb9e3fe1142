import type { Test } from 'tap'
import type { Generation } from '../../../../core/contract/generation.ts'
import type { Route } from '../../../../core/contract/route.ts'
import type { Signal } from '../../../../core/contract/signals.ts'
import type { OwnedUpgrade } from '../../../../core/contract/upgrade.ts'
import { createOverdue, createPipeline, type PipelineParts } from '../../../../core/service/http/pipeline.ts'
import { createRouter } from '../../../../core/service/http/router.ts'
import { createServer, type HttpServer, type ServerSettings } from '../../../../core/service/http/server.ts'
import { createUpgradePipeline } from '../../../../core/service/http/upgrade-pipeline.ts'
import { createToPublicError } from '../../../../core/service/lifecycle/to-public-error.ts'
import { createSignals } from '../../../../core/service/signals/create-signals.ts'

export const GENERATION = { id: 1, hash: 'x', loadedAt: new Date(0), slots: [] } as unknown as Generation

/** A server with these routes on a free port, closed at the end of the test. */
export async function serve(
  t: Test,
  routes: readonly Route[],
  settings: Partial<ServerSettings> = {},
  onRequest: PipelineParts['onRequest'] = null,
  upgrades: readonly OwnedUpgrade[] | null = null,
): Promise<{ url: string; server: HttpServer; seen: Signal[] }> {
  const signals = createSignals()
  const seen: Signal[] = []
  signals.subscribe((s) => seen.push(s))
  const toPublicError = createToPublicError(null, signals)
  const stages = { onRequest, authenticate: null, toPublicError }
  const router = createRouter(routes)
  const pipeline = createPipeline({ router, ...stages })
  const failOverdue = createOverdue({ router, toPublicError })
  const takers = upgrades === null ? null : createUpgradePipeline(upgrades, stages, (run) => run)
  const server = createServer(
    { pipeline, generation: () => GENERATION, toPublicError, failOverdue, upgrades: takers },
    {
      host: '127.0.0.1',
      port: 0,
      requestTimeoutMs: 30_000,
      keepAliveMs: 5000,
      maxBodyBytes: 1000,
      shutdownGraceMs: 20,
      shutdownTimeoutMs: 1000,
      maxUpgradedConnections: 100,
      tls: null,
      ...settings,
    },
  )
  const url = await server.listen()
  t.teardown(() => server.close())
  return { url, server, seen }
}

export const echo: Route = {
  method: 'POST',
  path: '/echo',
  handler: async (ctx) => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: await ctx.readBody() }),
}

import { SvcError } from '../../base/errors/svc-error.ts'
import type { PluginInstance } from '../../kernel/kernel-options.ts'
import { definePlugin } from '../../kernel/plugin.ts'

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** The address that `svc serve` listens on. */
export const LOOPBACK_HOST = '127.0.0.1'

/** Rejects a `--host` flag other than the loopback address. @throws SvcError SVC_USAGE */
export function refuseOtherHost(host: string | boolean | undefined): void {
  if (host === undefined || host === LOOPBACK_HOST || host === 'localhost') return
  throw new SvcError(
    'SVC_USAGE',
    `svc serve listens on ${LOOPBACK_HOST} only, not on ${host}: it gives the data to any caller, without a credential. To serve other machines, write a project with access rules: svc init NAME --database URL`,
  )
}

/**
 * A plugin that rejects requests from web pages of other sites, which every browser on this machine could send to a
 * service that requires no credential. With DNS rebinding a page reaches the service by a name of its own, so the
 * plugin also checks `Host`.
 */
export const LOOPBACK_GUARD: PluginInstance = {
  plugin: definePlugin(
    {
      name: 'loopback-guard',
      version: '0.1.0',
      kernelApi: 1,
      description: 'Answers programs and pages of this machine only.',
    },
    (scope) => {
      scope.on(
        'onRequest',
        (ctx, next) => {
          if (ctx.transport === 'http') checkSource(ctx.headers)
          return next()
        },
        { position: 'guard' },
      )
    },
  ),
  options: {},
  source: 'svc serve',
}

/** Rejects requests whose `Host` or `Origin` header names another site. @throws SvcError FORBIDDEN */
export function checkSource({ host, origin }: Readonly<Record<string, unknown>>): void {
  if (typeof host === 'string' && !LOOPBACK.test(host.replace(/:\d*$/, '')))
    throw forbidden('The header Host is no name of this machine.')
  if (origin !== undefined && !(typeof origin === 'string' && isOfThisMachine(origin)))
    throw forbidden('Pages of other sites may not call.')
}

function isOfThisMachine(origin: string): boolean {
  return URL.canParse(origin) && LOOPBACK.test(new URL(origin).hostname)
}

function forbidden(reason: string): SvcError {
  return new SvcError(
    'FORBIDDEN',
    `${reason} \`svc serve\` answers this machine only; run a project for others (svc init --database).`,
  )
}

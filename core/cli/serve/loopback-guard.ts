import { SvcError } from '../../base/errors/svc-error.ts'
import type { PluginInstance } from '../../kernel/kernel-options.ts'
import { definePlugin } from '../../kernel/plugin.ts'

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** The address that `svc serve` listens on. */
export const LOOPBACK_HOST = '127.0.0.1'

/**
 * Checks the flag `--host` of `svc serve`, which listens on the loopback address only.
 * @throws SvcError SVC_USAGE for another address
 */
export function refuseOtherHost(host: string | boolean | undefined): void {
  if (host === undefined || host === LOOPBACK_HOST || host === 'localhost') return
  throw new SvcError(
    'SVC_USAGE',
    `svc serve listens on ${LOOPBACK_HOST} only, not on ${host}: it gives the data to any caller, without a credential. To serve other machines, write a project with access rules: svc init NAME --database URL`,
  )
}

/**
 * The plugin with which `svc serve` rejects requests from web pages of other sites. Such pages can call a service on
 * this machine through the user's browser. It checks `Origin`, and `Host` because of DNS rebinding.
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
          if (ctx.transport === 'http') checkSource(ctx.headers, 'svc serve')
          return next()
        },
        { position: 'guard' },
      )
    },
  ),
  options: {},
  source: 'svc serve',
}

/** How to serve others, by the command that serves this machine only. */
const FOR_OTHERS = {
  'svc serve': 'run a project for others (svc init --database)',
  'svc dev': 'for others: svc compile and svc run',
} as const

/**
 * Rejects a request whose `Host` or `Origin` header does not name this machine.
 * @param command the command that answers, for the message
 * @throws SvcError FORBIDDEN: one of the headers names another host
 */
export function checkSource(
  { host, origin }: Readonly<Record<string, unknown>>,
  command: keyof typeof FOR_OTHERS,
): void {
  if (typeof host === 'string' && !LOOPBACK.test(host.replace(/:\d*$/, '')))
    throw forbidden('The header Host is no name of this machine.', command)
  if (origin !== undefined && !(typeof origin === 'string' && isOfThisMachine(origin)))
    throw forbidden('Pages of other sites may not call.', command)
}

function isOfThisMachine(origin: string): boolean {
  return URL.canParse(origin) && LOOPBACK.test(new URL(origin).hostname)
}

function forbidden(reason: string, command: keyof typeof FOR_OTHERS): SvcError {
  return new SvcError('FORBIDDEN', `${reason} \`${command}\` answers this machine only; ${FOR_OTHERS[command]}.`)
}

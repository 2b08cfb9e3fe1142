import { escapePercents } from '../../../core/doors/driver.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import type { ObserverOptions } from '../options.ts'
import type { EventBus } from './event-bus.ts'
import { createMariadbBus } from './mariadb-bus.ts'
import { createNatsBus } from './nats-bus.ts'
import { createRedisBus } from './redis-bus.ts'

/**
 * The bus of the configuration. Does not wait for it.
 * @returns `null`: the backend has none
 * @throws SvcError SVC_CONFIG_INVALID
 */
export async function openBus(options: ObserverOptions): Promise<EventBus | null> {
  const { stream, subject_prefix: subject } = options
  switch (options.backend) {
    case 'kvstore':
      return createRedisBus(urlOf(options, 'kvstore_url', ['redis:', 'rediss:']), stream)
    case 'msgbus':
      return createNatsBus(urlOf(options, 'msgbus_url', ['nats:', 'tls:']), stream, subject)
    case 'mariadb':
      return createMariadbBus(urlOf(options, 'mariadb_url', ['mysql:', 'mariadb:']), stream)
    default:
      return null
  }
}

/** Never in a message: it may hold a password. */
function urlOf(
  options: ObserverOptions,
  key: 'kvstore_url' | 'msgbus_url' | 'mariadb_url',
  schemes: readonly string[],
): string {
  const url = options[key]
  const wanted = `${schemes[0]}//host`
  if (url === undefined || url === '') throw invalid(`backend = "${options.backend}" needs ${key}, "${wanted}"`)
  if (!URL.canParse(url) || !schemes.includes(new URL(url).protocol)) throw invalid(`${key} is no URL like "${wanted}"`)
  // As it is read: ioredis takes `REDISS://` for one without TLS. A percent sign of a password is one to every client.
  return new URL(escapePercents(url)).href
}

function invalid(message: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[observers] ${message}.`)
}

import type { AppConfig } from '../../config/app-config.ts'
import { SvcError } from '../../errors/svc-error.ts'

/**
 * The part of the connections that one worker may open: together they keep to `pool_max`, which is a bound of the
 * service, whatever it is made of.
 * @param index place of the worker, from 1
 * @throws SvcError SVC_CONFIG_INVALID when there is not one for each
 */
export function shareDatabase({ database, server }: AppConfig, index: number): AppConfig['database'] {
  const { workers } = server
  if (database.pool_max < workers) {
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      `database.pool_max = ${database.pool_max} connections do not suffice for server.workers = ${workers}: they are ` +
        'shared, and each worker needs one at least. Raise the one or lower the other.',
    )
  }
  return { ...database, pool_max: share(database.pool_max), pool_min: share(database.pool_min) }

  function share(total: number): number {
    return Math.floor(total / workers) + (index <= total % workers ? 1 : 0)
  }
}

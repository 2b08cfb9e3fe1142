import { SvcError } from '../../base/errors/svc-error.ts'
import type { Config } from '../../contract/config.ts'

/**
 * Returns the database settings of one worker with a reduced `pool_max`, so that all workers together open at most the
 * configured number of connections.
 * @param index number of the worker, from 1
 * @throws SvcError SVC_CONFIG_INVALID when `pool_max` is less than the number of workers
 */
export function shareDatabase(config: Config, index: number): Pick<Config, 'database' | 'databases'> {
  const { database, databases, server } = config
  return {
    database: share(database, 'database', server.workers, index),
    databases: Object.fromEntries(
      Object.entries(databases).map(([name, one]) => [name, share(one, `databases.${name}`, server.workers, index)]),
    ),
  }
}

function share<T extends Pick<Config['database'], 'pool_max' | 'pool_min'>>(
  database: T,
  section: string,
  workers: number,
  index: number,
): T {
  if (database.pool_max < workers) {
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      `${section}.pool_max = ${database.pool_max} connections do not suffice for server.workers = ${workers}: they are ` +
        'shared, and each worker needs one at least. Raise the one or lower the other.',
    )
  }
  return { ...database, pool_max: part(database.pool_max), pool_min: part(database.pool_min) }

  function part(total: number): number {
    return Math.floor(total / workers) + (index <= total % workers ? 1 : 0)
  }
}

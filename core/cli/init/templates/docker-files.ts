import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '../../../base/errors/svc-error.ts'
import { readOwnPackage } from '../../../base/packages/own-package.ts'
import type { DatabaseUrl } from '../../database/database-url.ts'

/** Files of deploy/ that `svc init --docker` copies, by their path in the project. */
const SOURCES = {
  Dockerfile: 'deploy/docker/Dockerfile',
  '.dockerignore': 'deploy/docker/.dockerignore',
  'compose.yaml': 'deploy/compose/compose.yaml',
} as const

/**
 * Reads the files that `svc init --docker` adds to a project: Dockerfile, .dockerignore and compose.yaml.
 * @param source kind of the new database, or the URL of the existing one
 * @returns text of each file by its path in the project
 * @throws SvcError SVC_USAGE for SQLite, because compose.yaml runs a PostgreSQL server
 */
export async function dockerFiles(source: string | DatabaseUrl): Promise<Readonly<Record<string, string>>> {
  const kind = typeof source === 'string' ? source : source.plugin
  if (kind === 'sqlite') {
    const message =
      '--docker writes a compose.yaml with a PostgreSQL server, which a project with SQLite cannot use. Omit --docker, and copy ' +
      'node_modules/svc/deploy/docker/Dockerfile; the file of the database needs a volume.'
    throw new SvcError('SVC_USAGE', message)
  }
  const { folder } = readOwnPackage()
  const entries = Object.entries(SOURCES).map(
    async ([path, from]) => [path, await readFile(join(folder, from), 'utf8')] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

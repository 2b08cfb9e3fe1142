import type { RootLog } from '../../service/signals/log.ts'
import type { CommandIo } from '../command/command.ts'
import type { ServiceDescription } from '../project/describe-service.ts'

/**
 * Announces a service that is ready, with URLs, schema, access and how to stop it: as a banner on standard output, or
 * as one log line if the log format is JSON. Warnings are logged.
 */
export function announceService(service: ServiceDescription, log: RootLog, io: Pick<CommandIo, 'stdout'>): void {
  if (log.format === 'json') {
    const { warnings: _, ...fields } = service
    log.info(fields, 'serving')
  } else io.stdout(printBanner(service))
  for (const warning of service.warnings) log.warn({}, warning)
}

function printBanner(service: ServiceDescription): string {
  const { version, project, address, graphql, health, schema, access, database, workers, plugins, preset } = service
  const rows: readonly (readonly [string, string])[] = [
    ...(graphql === null ? [] : [['GraphQL', graphql] as const]),
    ...(health === null ? [] : [['Health', health] as const]),
    ...(graphql === null && health === null ? [['Address', address] as const] : []),
    ['Schema', schema],
    ['Access', access],
    ['Database', database],
    ...(workers > 1 ? [['Workers', `${workers} processes`] as const] : []),
    ['Plugins', `${plugins.join(', ')} (preset ${preset})`],
  ]
  const lines = rows.map(([label, value]) => `  ${label.padEnd(9)} ${value}`)
  return [`svc ${version} serves ${project}`, ...lines, 'Stop with Ctrl+C.', ''].join('\n')
}

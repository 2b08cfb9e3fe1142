import { definePlugin, type Exchange, type Operation } from 'svc'
import manifest from './manifest.ts'
import { openSink } from './sink.ts'

/** The options as the manifest's JSON Schema describes them, with the defaults filled in. */
export interface AuditOptions {
  readonly sink: string
  readonly reads: boolean
  readonly ignore: readonly string[]
}

/** Logs the caller and the time, and never the variables, which contain the data that an audit log must not leak. */
function describeRequest(exchange: Exchange) {
  return { at: new Date().toISOString(), request: exchange.id, subject: exchange.auth?.subject ?? null }
}

function rootsOf({ template }: Operation): readonly string[] {
  return template.roots.map((root) => (root.kind === 'operation' ? root.operation.wireName : root.responseKey))
}

export default definePlugin<AuditOptions>(manifest, (scope, options) => {
  const sink = openSink(options.sink)
  scope.onClose(() => sink.close())

  // Every operation comes through here, from every front, behind the hooks that deny, which stand at `guard`. A throw
  // would deny it: no audit line, no operation.
  scope.on('authorize', (exchange, operation) => {
    const { kind } = operation.template
    if (kind === 'query' && !options.reads) return
    sink.write({ event: 'allowed', ...describeRequest(exchange), kind, roots: rootsOf(operation) })
  })

  // After COMMIT; the client's answer does not wait, and a failure here is reported under this plugin's name.
  scope.on('afterCommit', ({ exchange, writes }) => {
    for (const { mutation, kind, entityType, entityId } of writes) {
      if (options.ignore.includes(mutation)) continue
      sink.write({ event: 'written', ...describeRequest(exchange), mutation, kind, entityType, entityId })
    }
  })
})

import t from 'tap'
import type { Signal } from '../../../../core/contract/signals.ts'
import { createSignals } from '../../../../core/service/signals/create-signals.ts'
import { createLog, logSignals } from '../../../../core/service/signals/log.ts'

declare module '../../../../core/doors/plugin.ts' {
  interface PluginSignals {
    'stock:low': { readonly shelf: string }
  }
}

t.test('signals of plugins are lines of the log, with their fields', async (t) => {
  const lines: Record<string, unknown>[] = []
  const signals = createSignals()
  const write = (line: string) => void lines.push(JSON.parse(line))
  logSignals(signals, createLog({ env: { SVC_LOG_LEVEL: 'debug', SVC_LOG_FORMAT: 'json' }, write, isTerminal: false }))
  signals.emit({ type: 'stock:low', shelf: 'a' })
  signals.emit({ type: 'stock:low', shelf: 'b', level: 'warn', message: 'nearly empty' })
  signals.emit({ type: 'constructor', shelf: 'c' } as unknown as Signal)
  t.match(lines, [
    { level: 'info', message: 'stock:low', shelf: /^a$/ },
    { level: 'warn', message: 'nearly empty', shelf: /^b$/ },
    { level: 'info', message: 'constructor' },
  ])
  t.notOk('type' in lines[0]!)
})

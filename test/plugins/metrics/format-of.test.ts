import t from 'tap'
import { formatOf } from '../../../plugins/metrics/render-metrics.ts'

t.test('OpenMetrics for who names it and wants it as much', async (t) => {
  const prometheus =
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=0.0.4;q=0.4,*/*;q=0.2'
  for (const accept of [prometheus, 'application/openmetrics-text', 'Application/OpenMetrics-Text; version=1.0.0']) {
    t.equal(formatOf(accept), 'openmetrics', accept)
  }
  const plain = [
    undefined,
    '',
    '*/*',
    'text/html,*/*;q=0.8',
    'text/plain',
    'application/openmetrics-text;q=0',
    'application/openmetrics-text;q=0.3,text/plain;q=0.5',
    'application/openmetrics-text;version=0.0.1',
  ]
  for (const accept of plain) t.equal(formatOf(accept), 'prometheus', accept ?? 'none')
})

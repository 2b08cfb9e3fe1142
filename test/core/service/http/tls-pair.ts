import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Test } from 'tap'
import { skip } from '../../../helpers/services.ts'

/** A folder with a self-signed pair and a key that belongs to another one; `null` where there is no openssl. */
export function makePair(t: Test): string | null {
  const folder = t.testdir({ 'text.pem': 'no PEM' })
  const curve = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-subj',
    '/CN=localhost',
    '-days',
    '1',
  ]
  try {
    for (const name of ['server', 'other']) {
      const out = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.pem`)]
      execFileSync('openssl', ['req', '-x509', ...curve, ...out], { stdio: 'ignore' })
    }
  } catch {
    skip(t, 'openssl', 'openssl is not installed')
    return null
  }
  return folder
}

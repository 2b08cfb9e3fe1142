import type { Signals } from '../../contract/signals.ts'
import { loadTls, type TlsConfig, type TlsMaterial } from './tls.ts'

/**
 * Loads certificate and key again, at each reload, because certificates are renewed while a service runs. An invalid pair is logged, and
 * the current one stays active.
 * @param current active certificate and key @param use activates another pair
 * @returns the pair that is active afterwards; never rejects
 */
export async function renewTls(
  config: TlsConfig,
  baseDir: string,
  current: TlsMaterial,
  { use, signals }: { readonly use: (material: TlsMaterial) => void; readonly signals: Signals },
): Promise<TlsMaterial> {
  try {
    const read = await loadTls(config, baseDir)
    if (read === null || (read.cert.equals(current.cert) && read.key.equals(current.key))) return current
    use(read)
    signals.emit({ type: 'certificate-renewed' })
    return read
  } catch (error) {
    signals.emit({ type: 'certificate-refused', error })
    return current
  }
}

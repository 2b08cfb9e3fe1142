/** The result of one check of `svc doctor`. */
export interface Finding {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped'
  /** The result in one sentence; for a skipped check, why it was skipped. */
  readonly message: string
}

export function ok(name: string, message: string): Finding {
  return { name, state: 'ok', message }
}

export function warning(name: string, message: string): Finding {
  return { name, state: 'warning', message }
}

export function failed(name: string, error: unknown): Finding {
  return { name, state: 'failed', message: error instanceof Error ? error.message : String(error) }
}

export function skipped(name: string, why: string): Finding {
  return { name, state: 'skipped', message: why }
}

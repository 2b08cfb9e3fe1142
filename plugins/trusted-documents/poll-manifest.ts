/** First and longest delay between attempts, if polling is off and the manifest could not be read at boot. */
const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 60_000

export interface RefreshParts {
  /** Reads the manifest, and replaces the documents. */
  readonly load: () => Promise<void>
  /** Called for the first failed refresh, and again for the first failure after a success. */
  readonly failed: (error: unknown) => void
}

/** Creates a function that reads the manifest again. Reads do not overlap. It resolves to whether the read succeeded, and never rejects. */
export function createRefresh({ load, failed }: RefreshParts): () => Promise<boolean> {
  let isFailing = false
  let running: Promise<boolean> | null = null
  async function refresh(): Promise<boolean> {
    try {
      await load()
      isFailing = false
      return true
    } catch (error) {
      if (!isFailing) failed(error)
      isFailing = true
      return false
    }
  }
  // If the server takes longer than the interval, the next read begins after its reply.
  return () => {
    running ??= refresh().finally(() => {
      running = null
    })
    return running
  }
}

/**
 * Reads the manifest at an interval. If it could not be read at boot, reads it until it succeeds, whatever the interval.
 * @returns a function that stops polling
 */
export function pollManifest(refresh: () => Promise<boolean>, intervalSecs: number, isUnread: boolean): () => void {
  let timer: NodeJS.Timeout | undefined
  let isEnded = false
  const retry = (afterMs: number): void => {
    timer = setTimeout(() => {
      void refresh().then((isRead) => {
        if (!isRead && !isEnded) retry(Math.min(afterMs * 2, LAST_RETRY_MS))
      })
    }, afterMs).unref()
  }
  if (intervalSecs > 0) timer = setInterval(() => void refresh(), intervalSecs * 1000).unref()
  else if (isUnread) retry(FIRST_RETRY_MS)
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}

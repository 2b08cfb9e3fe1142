/** First and longest delay between attempts, if polling is off and the manifest could not be read at boot. */
const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 60_000

export interface RefreshParts {
  /** Reads the manifest of trusted documents, and replaces the list. */
  readonly load: () => Promise<void>
  /** Called for the first failed reading of the manifest, and again for the first failure after a success. */
  readonly failed: (error: unknown) => void
}

/**
 * Creates the function that reads the manifest of trusted documents again. Calls during a reading share it.
 * @returns a function that resolves to whether the manifest was read; it never rejects
 */
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
 * Reads the manifest of trusted documents again at an interval. Without an interval, it only retries a failed first
 * reading until it succeeds.
 * @param intervalSecs interval in seconds; 0: none
 * @param isUnread `true` if the manifest could not be read at start
 * @returns a function that stops reading
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

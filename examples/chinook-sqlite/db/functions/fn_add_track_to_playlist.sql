-- :playlist_id integer
-- :track_id integer

SELECT svc_raise('NOT_FOUND', 'There is no playlist ' || :playlist_id) WHERE NOT EXISTS (SELECT 1 FROM playlist WHERE playlist_id = :playlist_id);
SELECT svc_raise('NOT_FOUND', 'There is no track ' || :track_id) WHERE NOT EXISTS (SELECT 1 FROM track WHERE track_id = :track_id);

INSERT INTO playlist_track (playlist_id, track_id) VALUES (:playlist_id, :track_id) ON CONFLICT DO NOTHING;

SELECT 'updated' AS status, 'Track added' AS message, :playlist_id AS entity_id, 'Playlist' AS entity_type,
  '["tracks", "track_count"]' AS updated_fields
WHERE changes() = 1
UNION ALL
SELECT 'noop:already_there', 'The track is in the playlist already', :playlist_id, 'Playlist', '[]'
WHERE changes() = 0;

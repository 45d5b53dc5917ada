CREATE TABLE process -- main process table for commands
	(processkey CHAR(50) NOT NULL, -- key of the command, used to join with tableUse
	lineNumber INT NOT NULL, -- line of the command; log2sql has that of the header above it
	pid INT NOT NULL, -- process ID
	startTime DATETIME NULL, endTime DATETIME NULL, -- no start in a paste without times
	computedLapse FLOAT NULL, completedLapse FLOAT NULL, -- seconds
	paused FLOAT NULL, -- seconds
	user TEXT NOT NULL, workspace TEXT NOT NULL, ip TEXT NOT NULL,
	app TEXT NOT NULL, -- program and release
	cmd TEXT NOT NULL, -- function, such as user-sync
	args TEXT NULL,
	uCpu INT NULL, sCpu INT NULL, -- milliseconds
	diskIn INT NULL, diskOut INT NULL, -- blocks of 512 B
	ipcIn INT NULL, ipcOut INT NULL,
	maxRss INT NULL, -- KiB
	pageFaults INT NULL,
	memMB INT NULL, memPeakMB INT NULL, -- of the command, and of its process
	rpcMsgsIn INT NULL, rpcMsgsOut INT NULL,
	rpcSizeIn INT NULL, rpcSizeOut INT NULL, -- MiB
	rpcHimarkFwd INT NULL, rpcHimarkRev INT NULL,
	rpcSnd FLOAT NULL, rpcRcv FLOAT NULL, -- seconds
	fileTotalsSnd INT NULL, fileTotalsRcv INT NULL,
	fileTotalsSndMB INT NULL, fileTotalsRcvMB INT NULL,
	running INT NULL, -- commands at once
	netSyncFilesAdded INT NULL, netSyncFilesUpdated INT NULL, netSyncFilesDeleted INT NULL,
	netSyncBytesAdded INT NULL, netSyncBytesUpdated INT NULL,
	lbrRcsOpens INT NULL, lbrRcsCloses INT NULL, lbrRcsCheckins INT NULL, lbrRcsExists INT NULL,
	lbrRcsReads INT NULL, lbrRcsReadBytes INT NULL, lbrRcsWrites INT NULL, lbrRcsWriteBytes INT NULL,
	lbrRcsDigests INT NULL, lbrRcsFileSizes INT NULL, lbrRcsModtimes INT NULL, lbrRcsCopies INT NULL,
	lbrBinaryOpens INT NULL, lbrBinaryCloses INT NULL, lbrBinaryCheckins INT NULL, lbrBinaryExists INT NULL,
	lbrBinaryReads INT NULL, lbrBinaryReadBytes INT NULL, lbrBinaryWrites INT NULL, lbrBinaryWriteBytes INT NULL,
	lbrBinaryDigests INT NULL, lbrBinaryFileSizes INT NULL, lbrBinaryModtimes INT NULL, lbrBinaryCopies INT NULL,
	lbrCompressOpens INT NULL, lbrCompressCloses INT NULL, lbrCompressCheckins INT NULL, lbrCompressExists INT NULL,
	lbrCompressReads INT NULL, lbrCompressReadBytes INT NULL, lbrCompressWrites INT NULL, lbrCompressWriteBytes INT NULL,
	lbrCompressDigests INT NULL, lbrCompressFileSizes INT NULL, lbrCompressModtimes INT NULL, lbrCompressCopies INT NULL,
	lbrUncompressOpens INT NULL, lbrUncompressCloses INT NULL, lbrUncompressCheckins INT NULL, lbrUncompressExists INT NULL,
	lbrUncompressReads INT NULL, lbrUncompressReadBytes INT NULL, lbrUncompressWrites INT NULL, lbrUncompressWriteBytes INT NULL,
	lbrUncompressDigests INT NULL, lbrUncompressFileSizes INT NULL, lbrUncompressModtimes INT NULL, lbrUncompressCopies INT NULL,
	error TEXT NULL, -- 1 where an error was logged
	PRIMARY KEY (processkey, lineNumber));
CREATE TABLE tableUse
	(processkey CHAR(50) NOT NULL, lineNumber INT NOT NULL,
	tableName VARCHAR(255) NOT NULL, -- table without db., lock file with its mode, trigger_NAME
	pagesIn INT NULL, pagesOut INT NULL, pagesCached INT NULL,
	pagesSplitInternal INT NULL, pagesSplitLeaf INT NULL,
	readLocks INT NULL, writeLocks INT NULL,
	getRows INT NULL, posRows INT NULL, scanRows INT NULL,
	putRows INT NULL, delRows INT NULL,
	totalReadWait INT NULL, totalReadHeld INT NULL, -- milliseconds
	totalWriteWait INT NULL, totalWriteHeld INT NULL,
	maxReadWait INT NULL, maxReadHeld INT NULL,
	maxWriteWait INT NULL, maxWriteHeld INT NULL,
	peekCount INT NULL,
	totalPeekWait INT NULL, totalPeekHeld INT NULL,
	maxPeekWait INT NULL, maxPeekHeld INT NULL,
	triggerLapse FLOAT NULL, -- seconds, of triggers
	PRIMARY KEY (processkey, lineNumber, tableName));
CREATE TABLE events
	(lineNumber INT NOT NULL,
	eventTime DATETIME NOT NULL,
	activeThreads INT NULL, activeThreadsMax INT NULL,
	pausedThreads INT NULL, pausedThreadsMax INT NULL,
	pausedErrorCount INT NULL,
	pauseRateCPU INT NULL, pauseRateMem INT NULL, -- percent
	cpuPressureState INT NULL, memPressureState INT NULL, -- 0 low, 1 medium, 2 high
	PRIMARY KEY (lineNumber));

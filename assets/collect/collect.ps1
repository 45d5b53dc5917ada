# What a Perforce server on Windows says of itself, in one text file: for `plimsoll init --from FILE`.
#
# Read it before you run it. It runs on the server as a user who may run p4 there; an administrator is not needed. It only
# reads: each command runs for a limited time and with a limited output, and one new file is written in the current folder.
# It sends nothing anywhere. Look through the file before you pass it on. Passwords, tickets, tokens and keys are left out;
# with -Anonymise every word that is not on the list of what passes, below, is replaced by a pseudonym.
#
# p4 is used as it is set up (P4PORT, P4USER, a ticket of `p4 login`). What it may not do is left out.
param(
    [switch]$Anonymise,
    [switch]$NoLog,
    [switch]$NoSizes,
    [string]$Out = "plimsoll-$(Get-Date -Format yyyyMMdd-HHmmss).txt",
    [string]$P4 = 'p4.exe',
    [string]$Root = '',
    [string]$Log = '',
    [ValidateRange(1, 99999)][int]$StepSeconds = 20,
    [ValidateRange(1, 99999)][int]$Seconds = 300
)
Set-StrictMode -Version 2
$ErrorActionPreference = 'Stop'

$bytesMax = 1MB
$begun = Get-Date
$script:all = New-Object System.Text.StringBuilder
$script:last = ''

function Add-Line([string]$Text) {
    [void]$script:all.Append($Text).Append("`n")
}

function Add-Remark([string]$Text) {
    Add-Line "--- plimsoll: $Text"
}

# An output as ASCII without what a terminal would obey; a line that looks like a mark of this file is moved.
function Get-Clean([string]$Text, [int]$Most) {
    if ($Text.Length -gt $Most) { $Text = $Text.Substring(0, $Most) }
    $Text = $Text -replace "\x1b\[[0-9;?]*[A-Za-z]", ''
    $Text = $Text -replace "\x1b\][^\x07]*\x07", ''
    $Text = $Text -replace "[\x00-\x08\x0b-\x1f\x7f]", ''
    $Text = $Text -replace "[^\x09\x0a\x20-\x7e]", '?'
    $Text -replace "(?m)^(=== |--- plimsoll: )", ' $1'
}

# One section: a block that runs in a job of its own, which is stopped when its time is over.
function Step([string]$Name, [int]$Limit, [scriptblock]$Block, [object[]]$Arguments = @(), [int]$Most = $bytesMax) {
    Add-Line ''
    Add-Line "=== plimsoll collect: $Name ==="
    $script:last = ''
    if (((Get-Date) - $begun).TotalSeconds -ge $Seconds) {
        Add-Remark "passed over: $Seconds s are used up"
        return
    }
    $at = Get-Date
    $state = ''
    $job = $null
    try {
        $job = Start-Job -ScriptBlock $Block -ArgumentList $Arguments
        if (-not (Wait-Job -Job $job -Timeout $Limit)) {
            $state = ", stopped after $Limit s"
            Stop-Job -Job $job
        }
        $text = (Receive-Job -Job $job -ErrorAction SilentlyContinue 2>&1 | Out-String -Width 4096)
        $script:last = Get-Clean $text $Most
        Add-Line $script:last.TrimEnd()
    }
    catch {
        $state = ", failed: $(Get-Clean $_.Exception.Message 200)"
    }
    finally {
        if ($job) { Remove-Job -Job $job -Force -ErrorAction SilentlyContinue }
    }
    Add-Remark "$([int]((Get-Date) - $at).TotalSeconds) s$state"
}

# One section of p4. Its input is empty, so that nothing waits for a password.
function StepP4([string]$Name, [int]$Limit, [string[]]$Words) {
    Step $Name $Limit {
        param($Program, $Words)
        $null | & $Program @Words 2>&1 | ForEach-Object { "$_" }
    } @($P4, $Words)
}

# The value of a setting in `p4 configure show`, without where it comes from.
function Get-Setting([string]$Name) {
    foreach ($line in $script:configure -split "`n") {
        if ($line -match "^$([regex]::Escape($Name)) ?= ?(.*?)( \([^()]*\))? *$") { return $Matches[1] }
    }
    ''
}

# A path of the server: one that is not absolute is below its root.
function Get-BelowRoot([string]$Path) {
    if ($Path -eq '') { return '' }
    if ([System.IO.Path]::IsPathRooted($Path)) { return $Path }
    if ($Root -eq '') { return '' }
    [System.IO.Path]::Combine($Root, $Path)
}

# The file is new: nothing is written over.
if (-not [System.IO.Path]::IsPathRooted($Out)) { $Out = Join-Path (Get-Location).ProviderPath $Out }
$file = [System.IO.File]::Open($Out, [System.IO.FileMode]::CreateNew, [System.IO.FileAccess]::Write)
try {
    Add-Remark 'outputs of a Perforce server, gathered by the PowerShell script of plimsoll collect'
    Add-Remark "begun $($begun.ToUniversalTime().ToString('yyyy-MM-dd HH:mm:ss')) UTC"

    # ---- What is gathered: p4 ----
    StepP4 'p4 info' $StepSeconds @('info')
    $info = $script:last
    StepP4 'p4 configure show' $StepSeconds @('configure', 'show')
    $script:configure = $script:last
    StepP4 'p4 configure show allservers' $StepSeconds @('configure', 'show', 'allservers')
    StepP4 'p4 counters' $StepSeconds @('counters')
    StepP4 'p4 diskspace' $StepSeconds @('diskspace')
    StepP4 'p4 depots' $StepSeconds @('depots')
    StepP4 'p4 license -u' $StepSeconds @('license', '-u')
    # Their number, not their names.
    foreach ($what in 'users', 'clients') {
        Step "p4 $what | wc -l" $StepSeconds {
            param($Program, $What)
            ($null | & $Program $What 2>$null | Measure-Object).Count
        } @($P4, $what)
    }
    StepP4 'p4 monitor show' $StepSeconds @('monitor', 'show')
    StepP4 'p4 pull -ls' $StepSeconds @('pull', '-ls')
    StepP4 'p4 pull -lj' $StepSeconds @('pull', '-lj')

    # ---- What is gathered: the machine, written as the tools of Linux would ----
    Step 'df -PT' $StepSeconds {
        'Filesystem Type 1024-blocks Used Available Capacity Mounted on'
        foreach ($disk in Get-CimInstance Win32_LogicalDisk -Filter 'DriveType = 3 or DriveType = 4') {
            if (-not $disk.Size) { continue }
            $total = [math]::Floor($disk.Size / 1024)
            $free = [math]::Floor($disk.FreeSpace / 1024)
            $source = if ($disk.ProviderName) { $disk.ProviderName -replace '\\', '/' } else { $disk.DeviceID }
            $kind = if ($disk.ProviderName) { 'cifs' } else { "$($disk.FileSystem)".ToLower() }
            '{0} {1} {2} {3} {4} {5}% {6}\' -f $source, $kind, $total, ($total - $free), $free,
                [math]::Round(100 * ($total - $free) / $total), $disk.DeviceID
        }
    }
    Step 'lsblk -J' $StepSeconds {
        $kinds = @{}
        foreach ($physical in Get-PhysicalDisk -ErrorAction SilentlyContinue) { $kinds["$($physical.DeviceId)"] = $physical }
        $devices = foreach ($disk in Get-Disk) {
            $letters = @(Get-Partition -DiskNumber $disk.Number -ErrorAction SilentlyContinue |
                    Where-Object { $_.DriveLetter } | ForEach-Object { "$($_.DriveLetter):\" })
            $physical = $kinds["$($disk.Number)"]
            $turns = if ($physical -and "$($physical.MediaType)" -eq 'HDD') { $true }
            elseif ($physical -and "$($physical.MediaType)" -eq 'SSD') { $false } else { $null }
            @{
                name        = "disk$($disk.Number)"
                type        = 'disk'
                size        = $disk.Size
                rota        = $turns
                tran        = switch ("$($disk.BusType)") { 'NVMe' { 'nvme' } 'SATA' { 'sata' } 'SAS' { 'sas' } 'iSCSI' { 'iscsi' } 'Fibre Channel' { 'fc' } default { '' } }
                model       = "$($disk.FriendlyName)"
                mountpoints = $letters
            }
        }
        @{ blockdevices = @($devices) } | ConvertTo-Json -Depth 5
    }
    Step 'lscpu' $StepSeconds {
        $processors = @(Get-CimInstance Win32_Processor)
        $machine = Get-CimInstance Win32_ComputerSystem
        $cores = ($processors | Measure-Object NumberOfCores -Sum).Sum
        $threads = ($processors | Measure-Object NumberOfLogicalProcessors -Sum).Sum
        "CPU(s): $threads"
        "Thread(s) per core: $([math]::Max(1, [math]::Floor($threads / $cores)))"
        "Core(s) per socket: $([math]::Floor($cores / $processors.Count))"
        "Socket(s): $($processors.Count)"
        "Model name: $($processors[0].Name.Trim())"
        if ("$($machine.Model)" -match 'Virtual|VMware|KVM|HVM|Google|EC2') { "Hypervisor vendor: $($machine.Manufacturer)" }
    }
    Step 'cat /proc/meminfo' $StepSeconds {
        "MemTotal: $([math]::Floor((Get-CimInstance Win32_ComputerSystem).TotalPhysicalMemory / 1024)) kB"
    }
    Step 'network ports' $StepSeconds {
        foreach ($adapter in Get-NetAdapter -Physical | Where-Object { $_.Status -eq 'Up' }) {
            "/sys/class/net/$($adapter.Name -replace '\s', '_')/speed:$([math]::Floor($adapter.ReceiveLinkSpeed / 1000000))"
        }
    }

    # ---- What is gathered: the folders of the server ----
    if ($Root -eq '') { $Root = Get-Setting 'P4ROOT' }
    if ($Root -eq '' -and $info -match '(?m)^Server root: (.+)$') { $Root = $Matches[1].Trim() }
    if ($Log -eq '') { $Log = Get-BelowRoot (Get-Setting 'P4LOG') }
    if ($Root -ne '') {
        Step 'ls -ln db' $StepSeconds {
            param($Folder)
            Get-ChildItem -LiteralPath $Folder -Filter 'db.*' -File |
                ForEach-Object { '-rw------- 1 0 0 {0} Jan 1 00:00 {1}' -f $_.Length, $_.FullName }
        } @($Root)
    }
    if (-not $NoSizes) {
        StepP4 'p4 sizes -s //...' (3 * $StepSeconds) @('sizes', '-s', '//...')
        StepP4 'p4 sizes -a -s //...' (3 * $StepSeconds) @('sizes', '-a', '-s', '//...')
    }
    if (-not $NoLog -and $Log -ne '') {
        # The last 5 MB, read while the server writes on.
        Step 'log tail' $StepSeconds {
            param($Path)
            $stream = New-Object System.IO.FileStream($Path, 'Open', 'Read', 'ReadWrite')
            try {
                $length = [math]::Min($stream.Length, 5000000)
                [void]$stream.Seek(-$length, [System.IO.SeekOrigin]::End)
                $bytes = New-Object byte[] $length
                $read = $stream.Read($bytes, 0, $length)
                [System.Text.Encoding]::ASCII.GetString($bytes, 0, $read)
            }
            finally { $stream.Dispose() }
        } @($Log) 6MB
    }
    Add-Line ''
    Add-Line '=== plimsoll collect: end ==='
    Add-Remark "ended after $([int]((Get-Date) - $begun).TotalSeconds) s"

    # What an anonymised file keeps, and names of secrets: one list for this script and for that of POSIX shells.
    $list = @'
@PASSES@
'@
    $passes = @{}
    foreach ($line in $list -split "`r?`n") {
        $words = @($line.Split(' ') | Where-Object { $_ -ne '' })
        if ($words.Count -lt 2 -or $words[0] -eq '#') { continue }
        $passes[$words[0]] = @($passes[$words[0]]) + @($words | Select-Object -Skip 1)
    }
    $secrets = (@($passes.secret) | Where-Object { $_ }) -join '|'
    $forms = '^(' + ((@($passes.form) | Where-Object { $_ }) -join '|') + ')$'
    $passing = @{}
    foreach ($word in $passes.word) { if ($word) { $passing[$word.ToLower()] = $true } }

    # Without passwords, tickets, tokens and keys: values by the names before them, and what looks like one.
    function Get-WithoutSecrets([string]$Line, [string]$Section) {
        $value = if ($Section -match '^p4 (configure|counters)') { '(?:.(?! \([^()]*\) *$))*.' } else { '[^ ,)"'']+' }
        $named = "([A-Za-z0-9_.-]*(?:$secrets)[A-Za-z0-9_.-]*`"?(?: ?[=:] ?)`"?|--[A-Za-z0-9_.-]*(?:$secrets)[A-Za-z0-9_.-]* )$value"
        $Line = [regex]::Replace($Line, $named, '$1*', 'IgnoreCase')
        if ($Line -match 'user-(passwd|login)') { $Line = $Line -replace " -[PO] ?[^ ']+", ' -P *' }
        if ($Section -notmatch '^(df|lsblk|p4 diskspace)') { $Line = $Line -replace '[0-9A-Fa-f]{32,}', '*' }
        $Line = $Line -creplace 'eyJ[A-Za-z0-9_-]+[.][A-Za-z0-9_.-]+', '*'
        $Line -replace '://[^ /@]+@', '://*@'
    }
    $section = ''
    $inside = $false
    $clear = New-Object System.Collections.Generic.List[string]
    foreach ($line in $script:all.ToString() -split "`r?`n") {
        if ($line -match '^=== plimsoll collect: (.*) ===$') { $section = $Matches[1]; $inside = $false }
        if ($line -match '-----BEGIN ') {
            if (-not $inside) { $clear.Add('--- plimsoll: left out: a key or a certificate') }
            $inside = $true
        }
        if ($inside) { if ($line -match '-----END ') { $inside = $false }; continue }
        $clear.Add((Get-WithoutSecrets $line $section))
    }
    $text = $clear -join "`n"
    if ($Anonymise) {
        $known = New-Object System.Collections.Hashtable
        $counts = @{}
        # The pseudonym of a name, the same wherever the name stands.
        function Get-Pseudonym([string]$Kind, [string]$Name) {
            if ($Name -in '', 'unknown', 'none', 'background', '*') { return $Name }
            if (-not $known.ContainsKey($Name)) {
                $counts[$Kind] = 1 + [int]$counts[$Kind]
                $known[$Name] = "$Kind$($counts[$Kind])"
            }
            $known[$Name]
        }
        # Whether a word is on the list.
        function Test-Passes([string]$Word) {
            $passing.ContainsKey($Word.ToLower()) -or ($Word.Length -le 20 -and $Word -cmatch $forms)
        }
        # A word without the points and dashes around it.
        function Get-Word([string]$Word) {
            if (Test-Passes $Word) { return $Word }
            if ($known.ContainsKey($Word)) { return $known[$Word] }
            $core = $Word.Trim('.', '_', '-')
            if ($core -eq '') { return $Word }
            $at = $Word.IndexOf($core)
            $tail = $Word.Substring($at + $core.Length)
            $head = $Word.Substring(0, $at)
            if (-not (Test-Passes $core)) {
                if ($known.ContainsKey($core)) { $core = $known[$core] }
                elseif ($core -match '^\d+(\.\d+){3}$') { $core = Get-Pseudonym 'address' $core }
                elseif ($core -cmatch '^db\.') { $core = "db.$(Get-Pseudonym 'table' $core)" }
                else { $core = Get-Pseudonym 'name' $core }
            }
            "$head$core$tail"
        }
        # Every word, and addresses of version 6 and of network cards: two colons in a row, or five of them.
        function Get-Text([string]$Line) {
            $Line = [regex]::Replace($Line, '[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*', {
                    param($m)
                    $colons = $m.Value.Split(':').Count - 1
                    if ($m.Value -match '[0-9A-Fa-f]' -and ($m.Value.Contains('::') -or $colons -ge 5)) { Get-Pseudonym 'address' $m.Value } else { $m.Value } })
            [regex]::Replace($Line, '[A-Za-z0-9_.-]+', { param($m) Get-Word $m.Value })
        }
        # "any: db.peeking = 2 (configure)": a setting that is not on the list keeps nothing.
        function Get-SettingLine([string]$Line) {
            if ($Line -notmatch '^(?:([^=:]*): ?)?([^=:]*?)( ?= ?)(.*?)( \([^()]*\) *)?$') { return Get-Text $Line }
            $scope, $key, $sign, $value, $origin = $Matches[1], $Matches[2].Trim(), $Matches[3], $Matches[4], "$($Matches[5])"
            $before = if (-not $scope) { '' } elseif ($scope -eq 'any') { 'any: ' } else { "$(Get-Pseudonym 'server' $scope): " }
            if ($passes.setting -ccontains $key) { return "$before$key$sign$(Get-Text $value)$(Get-Text $origin)" }
            "$before$(Get-Pseudonym 'setting.' $key)=*$(Get-Text $origin)"
        }
        function Get-Function([string]$Word) {
            if (($Word -cmatch '^user-(.*)$' -and $passes.command -ccontains $Matches[1]) -or $Word -match '^((dm|rmt|client)-[A-Za-z0-9]+|pull|IDLE|Init\(\))$') { return $Word }
            Get-Pseudonym 'command' $Word
        }
        # Products, platforms and releases stay; any other program may be called after anybody.
        function Get-Program([string]$Text) {
            $parts = $Text.Split('/')
            if ($passes.program -cnotcontains $parts[0]) { return Get-Pseudonym 'program' $Text }
            $rest = @($parts | Select-Object -Skip 1 | Where-Object {
                    $_ -match '^v?[0-9.]+( \(brokered\))?$' -or $_ -cmatch '^(LINUX|NTX|MACOSX|DARWIN|FREEBSD|SOLARIS)[0-9]*(X|ARM|AARCH)?[0-9_]*$' })
            (@($parts[0]) + $rest) -join '/'
        }
        # Options stay by their letter with a number behind it, long ones by their name, depots get pseudonyms, the rest goes.
        function Get-Argument([string]$Word) {
            if ($Word -match '^--[a-z-]+(=.*)?$') {
                $name = $Word.Split('=')[0]
                if ($name -in '--parallel', '--from', '--force', '--use-stream-change') { return $name }
                return '--*'
            }
            if ($Word -match '^(-[A-Za-z][0-9]*|-Olhp|[0-9]+)$') { return $Word }
            if ($Word -match '^-[A-Za-z]') { return $Word.Substring(0, 2) + '*' }
            if ($Word -notmatch '^//.') { return '*' }
            $depot = $Word.Substring(2) -replace '[/@#*].*', '' -replace '\.\.\..*', ''
            if ($depot -eq '') { return '//...' }
            if (-not (Test-Passes $depot)) { $depot = Get-Pseudonym 'depot' $depot }
            "//$depot/..."
        }
        # A line of the log by its form: what has none that is known is left out, since it may name anything.
        function Get-LogLine([string]$Line) {
            if ($Line -match '^\s*$' -or $Line -match '^\t?Perforce [A-Za-z]+ (info|error):$') { return $Line }
            if ($Line -match '^(--- *)(.*)$') {
                $head = $Matches[1]
                $rest = $Matches[2]
                if ($rest -match '^rpc \(([^)]*)\)(.*)$') {
                    $tail = $Matches[2]
                    $parts = $Matches[1].Split(':')
                    $port = ''
                    $name = $parts[-1]
                    if ($parts.Count -gt 1) { $name = $parts[-2]; if ($parts[-1] -match '^[0-9]+$') { $port = ':' + $parts[-1] } }
                    return "${head}rpc ($(Get-Pseudonym 'host' $name)$port)$(Get-Text $tail)"
                }
                if ($rest -match '^killed by') { return "${head}killed by" }
                if ($rest -match '^[rp]?db\.[A-Za-z.]+(\([RW]\))?$' -or
                    $rest -match '^(lapse|paused|usage|memory|rpc|filetotals|proxytotals|proxy faults|pages|locks?|total|max|peek|lbr|opens|reads|digests|exited on fatal server error|failed authentication check)[ +]?[-A-Za-z0-9+/.,() ]*$') {
                    return Get-Text $Line
                }
                if ($rest -match '^([^/]+)/(.*?)(\([RW]\))?$') {
                    $class = $Matches[1]
                    $name = [uri]::UnescapeDataString($Matches[2])
                    $mode = $Matches[3]
                    if ($class -in 'clients', 'clientEntity') { $name = Get-Pseudonym 'client' $name }
                    elseif ($class -in 'label', 'stream') { $name = Get-Pseudonym $class $name }
                    elseif ("$class/$name" -notmatch '^(meta/(db|commit)|replica/pull|storageup/storage(up|masterup|upmaster)|change/[0-9]+)$') {
                        $name = Get-Pseudonym 'lock' "$class/$name"
                        $class = 'lock'
                    }
                    return "$head$class/$name$mode"
                }
                return $null
            }
            if ($Line -match '^(\t?[0-9/]+ [0-9:]+ pid [0-9]+ )(.*)$') {
                $head = $Matches[1]
                $rest = $Matches[2]
                if ($rest -match '^(completed|compute end) ') { return Get-Text $Line }
                if ($rest -notmatch "^([^ @]+)@([^ @]+) ([^ ]+) \[(.*?)\] '(.*)$") { return $null }
                $user, $client, $address, $program, $call = $Matches[1], $Matches[2], $Matches[3], $Matches[4], $Matches[5]
                $tail = ''
                $last = $call.LastIndexOf("'")
                if ($last -ge 0) {
                    $tail = $call.Substring($last + 1)
                    $call = $call.Substring(0, $last)
                }
                if ($tail -match '^ trigger (.*)$') { $tail = " trigger $(Get-Pseudonym 'trigger' $Matches[1])" }
                elseif ($tail -ne ' exited unexpectedly, removed from monitor table.') { $tail = '' }
                $words = @($call.Split(' ') | Where-Object { $_ -ne '' })
                if ($words.Count -eq 0) { return $null }
                $shown = @(Get-Function $words[0]) + @($words | Select-Object -Skip 1 -First 38 | ForEach-Object { Get-Argument $_ })
                $from = @($address.Split('/') | ForEach-Object { Get-Pseudonym 'address' $_ }) -join '/'
                return "$head$(Get-Pseudonym 'user' $user)@$(Get-Pseudonym 'client' $client) $from [$(Get-Program $program)] '$($shown -join ' ')'$tail"
            }
            if ($Line -match '^\tOperation: (.*)$') { return "`tOperation: $(Get-Function $Matches[1])" }
            if ($Line -match '^([0-9/]+ [0-9:]+ [0-9]+ pid [0-9]+: Server (is now using|now has|under|is under|no longer under|not under|resource)[A-Za-z0-9 ,.:/()-]*|\t?Server network estimates: [A-Za-z/=0-9, ]*|lapse [0-9.]+s|\t(Date [0-9/]+ [0-9:]+:|Pid [0-9]+))$') { return Get-Text $Line }
            if ($Line -match '^(Perforce [A-Za-z]+ starting [0-9/]+ [0-9:]+ pid [0-9]+ P4[A-Z]/[A-Z0-9_]+/[0-9.]+/[0-9]+)') { return Get-Text $Matches[1] }
            $null
        }
        # Names by their places come first, so that they have their kind wherever they stand.
        $places = @(
            @('user', '^User name: (.+)$'), @('client', '^Client name: (.+)$'), @('host', '^(?:Client host|ServerID): (.+)$'),
            @('host', '^(?:(?:Server|Client|Peer|Proxy|Broker) address|Server license-ip|Replica of|Changelist server|Authorization Server): (?:(?:ssl|tcp)\d*:)?([^:]+)'),
            @('host', '^(?:\S+: ?)?(?:P4PORT|P4TARGET|\S+\.host) ?= ?(?:(?:ssl|tcp)\d*:)?([^:\s]*[^:\s\d][^:\s]*)'),
            @('user', '^(?:\S+: ?)?serviceUser ?= ?(\S+)'), @('user', '^ *\d+ .*?(\S+) +\d+:\d\d:\d\d '),
            @('user', '^\t[0-9/]+ [0-9:]+ pid \d+ ([^ @]+)@'), @('client', '^\t[0-9/]+ [0-9:]+ pid \d+ [^ @]+@(\S+) '))
        foreach ($line in $clear) {
            foreach ($place in $places) {
                if ($line -cmatch $place[1]) { [void](Get-Pseudonym $place[0] $Matches[1].Trim()) }
            }
            if ($line -cmatch '^Depot (\S+) ' -and -not (Test-Passes $Matches[1])) { [void](Get-Pseudonym 'depot' $Matches[1]) }
        }
        # A line of an output; nothing where it is left out.
        function Get-Line([string]$Line, [string]$Section) {
            if ($Line -match '^(=== |--- plimsoll: )') { return $Line }
            if ($Section -eq 'log tail') { return Get-LogLine $Line }
            if ($Line -cmatch '^(Client root|Current directory|Client stream): ') { return "$($Matches[1]): left out" }
            if ($Line -cmatch '^Server license: (?:.*?(\d+ users))?') { return "Server license: left out $($Matches[1])" }
            if ($Line -cmatch '^(User name|Client name|Client host|ServerID): (.*)$') {
                $label, $name = $Matches[1], $Matches[2]
                $kind = switch ($label) { 'User name' { 'user' } 'Client name' { 'client' } default { 'host' } }
                return "${label}: $(Get-Pseudonym $kind $name)"
            }
            if ($Section -eq 'p4 counters' -and $Line -match '^(\S+) = ' -and $passes.counter -cnotcontains $Matches[1]) { return $null }
            if ($Section -like 'p4 configure show*' -and $Line.Contains('=')) { return Get-SettingLine $Line }
            if ($Section -eq 'p4 monitor show' -and $Line -cmatch '^( *\d+ +)(?:\S+ +)*?([A-Z]) +(\S+)( +\d+:\d\d:\d\d +)(\S+)') {
                $head, $state, $user, $time, $command = $Matches[1], $Matches[2], $Matches[3], $Matches[4], $Matches[5]
                if ($passes.command -cnotcontains $command) { $command = Get-Text $command }
                return "$head$state $(Get-Pseudonym 'user' $user)$time$command"
            }
            if ($Section -eq 'p4 depots') { $Line = $Line -replace " '.*", '' }
            if ($Section -eq 'lsblk -J') { $Line = [regex]::Replace($Line, '\\(.)', { param($m) if ($m.Groups[1].Value -eq '\') { $m.Value } else { '?' } }) }
            Get-Text $Line
        }
        $section = ''
        $text = (@($clear | ForEach-Object {
                    if ($_ -match '^=== plimsoll collect: (.*) ===$') { $section = $Matches[1] }
                    Get-Line $_ $section
                } | Where-Object { $null -ne $_ }) -join "`n")
    }
    $bytes = [System.Text.Encoding]::ASCII.GetBytes($text)
    $file.Write($bytes, 0, $bytes.Length)
}
finally {
    $file.Dispose()
    if ((Get-Item -LiteralPath $Out).Length -eq 0) { Remove-Item -LiteralPath $Out }
}
"Written to $Out. Look through it; then: plimsoll init --from $Out"
